import { assert, describe, it } from "@effect/vitest"
import { CreateVoiceWorkflow, UpdateVoiceWorkflow } from "@switchboard/domain/voice/workflows/VoiceWorkflow"
import { Schema } from "effect"
import { start } from "./Graphs.js"

const options = { errors: "all", onExcessProperty: "error" } as const
const isValid = (nodes: ReadonlyArray<unknown>, edges: ReadonlyArray<unknown> = []) =>
  Schema.decodeUnknownEither(CreateVoiceWorkflow, options)({ name: "n", nodes, edges })._tag === "Right"

const node = (type: string, config?: unknown) => ({
  id: "n",
  type,
  data: { label: "N", ...(config === undefined ? {} : { config }) }
})

const menuItems = [
  { id: "a", label: "A", keywords: ["eh"] },
  { id: "b", label: "B" }
]
const mail = { channel: "email", to: "Ada@example.com", subject: "s", text: "t" }

const validNodes = [
  ["action.speak", { text: "Hello" }],
  ["action.listen", undefined],
  ["action.listen", { prompt: "Your name?", timeoutSeconds: 7, variable: "name", sandboxReply: "Ada" }],
  ["action.menu", { prompt: "?", items: menuItems }],
  ["action.transfer", { to: "+4930123456" }],
  ["action.sendMessage", mail],
  ["action.httpRequest", { url: "https://example.com/x", method: "GET" }],
  ["action.httpRequest", { url: "https://example.com/x", method: "POST", headers: { "X-A": "b" }, body: { a: [1] } }],
  ["action.hangup", undefined],
  ["logic.condition", { variable: "reply", operator: "contains", value: "yes" }],
  ["logic.condition", { variable: "reply", operator: "notExists" }],
  ["logic.delay", { seconds: 0.5 }],
  ["ai.respond", {}]
] as const

const invalidNodes = [
  ["action.speak", {}],
  ["action.speak", undefined],
  ["action.speak", { text: "" }],
  ["action.listen", { timeoutSeconds: 0 }],
  ["action.listen", { variable: "1st" }],
  ["action.menu", { items: [] }],
  ["action.menu", { items: [{ id: "a" }] }],
  ["action.menu", { items: [...menuItems, { id: "a", label: "Other" }] }],
  ["action.transfer", {}],
  ["action.sendMessage", { ...mail, channel: "sms" }],
  ["action.sendMessage", { ...mail, to: "ada" }],
  ["action.httpRequest", { url: "ftp://example.com", method: "GET" }],
  ["action.httpRequest", { url: "https://example.com", method: "TRACE" }],
  ["logic.condition", { variable: "reply", operator: "equals" }],
  ["logic.condition", { variable: "reply", operator: "like", value: 1 }],
  ["logic.delay", { seconds: 0 }],
  ["logic.delay", { seconds: 3_601 }],
  ["action.dance", {}]
] as const

describe("A node of a workflow", () => {
  it("requires the configuration of its type and accepts additional fields in it", () => {
    for (const [type, config] of validNodes) {
      assert.isTrue(isValid([start, node(type, config)]), type)
      assert.isTrue(isValid([start, node(type, { ...config, color: { of: ["editor"] } })]), type)
    }
  })

  it("is rejected with an incomplete configuration or additional fields", () => {
    for (const [type, config] of invalidNodes)
      assert.isFalse(isValid([start, node(type, config)]), `${type} ${JSON.stringify(config)}`)
    assert.isFalse(isValid([{ ...start, width: 3 }]))
    assert.isFalse(isValid([{ ...start, data: { colour: "red" } }]))
    assert.isTrue(isValid([{ ...start, position: { x: 0.5, y: -3 }, selected: true, dragging: false }]))
  })

  it("is one of at most 500, an edge one of at most 1000", () => {
    const menu = node("action.menu", { items: menuItems })
    const many = (count: number) => Array.from({ length: count }, (_, at) => ({ ...menu, id: String(at) }))
    assert.isTrue(isValid([start, ...many(499)]))
    assert.isFalse(isValid([start, ...many(500)]))
    const edgeList = (count: number) =>
      Array.from({ length: count }, (_, at) => ({
        id: String(at),
        source: String(at % 499),
        target: "start",
        ...(at < 499 ? {} : { sourceHandle: at < 998 ? "a" : "b" })
      }))
    assert.isTrue(isValid([start, ...many(499)], edgeList(1_000)))
    assert.isFalse(isValid([start, ...many(499)], edgeList(1_001)))
  })
})

describe("An update of a workflow", () => {
  it("checks the graph if nodes and edges are given", () => {
    const update = Schema.decodeUnknownEither(UpdateVoiceWorkflow, options)
    assert.isTrue(update({ nodes: [] })._tag === "Right")
    assert.isTrue(update({ nodes: [], edges: [] })._tag === "Left")
    assert.isTrue(update({ nodes: [start], edges: [], description: null, viewport: null })._tag === "Right")
  })
})
