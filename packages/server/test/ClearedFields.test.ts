import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { LiveService } from "./LiveService.js"

const graph = { nodes: [{ id: "a", type: "trigger.callStarted", position: { x: 0, y: 0 }, data: {} }], edges: [] }

/** The path of a resource, a creation, the fields that an update clears, and their values then. */
const resources: ReadonlyArray<readonly [string, object, object, Readonly<Record<string, unknown>>]> = [
  [
    "/v1/webhook-endpoints",
    { name: "a", url: "https://example.com/a", events: ["*"] },
    {
      ...{ description: "a", testMode: true, priority: 1, filters: { isTest: true }, rateLimit: { maxPerSecond: 1 } },
      headers: { "X-A": "b" }
    },
    {
      ...{ description: undefined, testMode: false, priority: 0, filters: "{}", rateLimit: "{}" },
      config: '{"url":"https://example.com/a","events":["*"]}'
    }
  ],
  [
    "/v1/conversations",
    { channels: ["email"] },
    {
      ...{ title: "a", externalId: "a", primaryChannel: "email", priority: 4, urgency: "high", complexity: "complex" },
      ...{ tags: ["a"], categories: ["a"], isTest: true, isInternal: true, isPrivate: true, metadata: "{}" }
    },
    {
      ...{ title: undefined, externalId: undefined, primaryChannel: "email", priority: 2, urgency: "low" },
      ...{ complexity: "simple", tags: [], categories: [], isTest: false, isInternal: false, isPrivate: false },
      metadata: undefined
    }
  ],
  [
    "/v1/email/forwarding/rules",
    { name: "a", match: { sender: "a@example.com" }, forwardTo: ["b@example.org"] },
    { keepCopy: false, rewriteFrom: true, isActive: false, priority: 1 },
    { keepCopy: true, rewriteFrom: false, isActive: true, priority: 100 }
  ],
  [
    "/v1/email/templates",
    { name: "a", subject: "a", html: "{{b}}" },
    { text: "a", variables: [{ name: "b", fallback: "c" }] },
    { text: undefined, variables: [{ name: "b", required: true }] }
  ],
  ["/v1/email/blocks", { email: "a@example.com" }, { reason: "complaint" }, { reason: "manual" }],
  [
    "/v1/voice/agents",
    { name: "a" },
    { description: "a", transport: "pstn", isActive: false },
    { description: undefined, transport: "webrtc", isActive: true }
  ],
  ["/v1/voice/workflows", { name: "a", ...graph }, { isEnabled: false }, { isEnabled: true }]
]

layer(LiveService.Shared, { excludeTestServices: true })("A field with null in an update", (it) => {
  it.effect.each(resources)("of %s has the value of a creation without it", ([path, creation, given, cleared]) =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const { body } = yield* call("POST", path, creation)
      const changed = yield* call("PATCH", `${path}/${body.id}`, given)
      assert.strictEqual(changed.status, 200, JSON.stringify(changed.body))
      const nulls = Object.fromEntries(Object.keys(given).map((name) => [name, null]))
      const { body: after, status } = yield* call("PATCH", `${path}/${body.id}`, nulls)
      assert.strictEqual(status, 200, JSON.stringify(after))
      const values = Object.fromEntries(Object.keys(cleared).map((name) => [name, after[name]]))
      assert.deepStrictEqual(values, cleared)
    })
  )

  it.effect("empties the metadata of an organization, in which numbers that JSON changes are refused", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      yield* call("PATCH", "/v1/organizations/current", { metadata: { a: 1 } })
      const { body } = yield* call("PATCH", "/v1/organizations/current", { metadata: null })
      assert.deepStrictEqual(body.metadata, {})
      const lossy = yield* call("PATCH", "/v1/organizations/current", '{"metadata":{"a":[1e400],"b":9007199254740993}}')
      assert.deepStrictEqual([lossy.status, Object.keys(lossy.body.fields)], [422, ["metadata.a.0", "metadata.b"]])
    })
  )
})
