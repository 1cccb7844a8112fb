import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, contact, keys, LiveApi } from "./LiveApi.js"

const id = "01a1fc1d-e1a0-7029-814e-d493ca640e3c"
const start = { id: "start", type: "trigger.callStarted" }
const channels = ["email"]

/** A path, a resource, filters that find it, and values of filters that exclude it. */
const lists: ReadonlyArray<readonly [path: string, body: object, filters: object, others: Record<string, unknown>]> = [
  ["api-keys", { name: "Found", roleName: "viewer" }, { search: "ound", isActive: true }, { isActive: false }],
  [
    "webhook-endpoints",
    { name: "Found", url: "https://example.com", events: ["*"] },
    { status: "active" },
    { status: "paused", search: "lost" }
  ],
  ["email/templates", { name: "Found", subject: "s", html: "h" }, { search: "found" }, { search: "lost" }],
  [
    "email/domains",
    { domain: "found.test" },
    { search: "found", status: "pending" },
    { status: "verified", search: "lost" }
  ],
  [
    "email/senders",
    { email: "found@pending.test", name: "Ada" },
    { search: "found", verificationStatus: "pending", isActive: true },
    { domainId: id, verificationStatus: "verified", isActive: false }
  ],
  [
    "email/blocks",
    { email: "found@example.com" },
    { search: "found", reason: "manual" },
    { reason: "complaint", search: "lost" }
  ],
  [
    "email/forwarding/rules",
    { name: "Found", match: { recipient: "a@desk.test" }, forwardTo: ["a@example.org"] },
    { search: "found" },
    { search: "lost" }
  ],
  [
    "conversations",
    { title: "Found", channels, tags: ["a"], participantIds: [contact] },
    { status: "active", channel: "email", priority: 2, participantId: contact, tag: "a", search: "found" },
    { status: "resolved", channel: "sms", priority: 3, participantId: id, tag: "b", search: "lost" }
  ],
  ["participants", { name: "Found" }, { search: "found", type: "contact" }, { type: "agent", search: "lost" }],
  [
    "drafts",
    { channel: "email", recipients: [], content: {}, title: "Found" },
    { search: "found", channel: "email" },
    { channel: "sms", search: "lost" }
  ],
  [
    "voice/agents",
    { name: "Found" },
    { search: "found", isActive: true, transport: "webrtc" },
    { isActive: false, transport: "pstn", search: "lost" }
  ],
  [
    "voice/workflows",
    { name: "Found", nodes: [start], edges: [] },
    { search: "found", isEnabled: true },
    { isEnabled: false, voiceAgentId: id, search: "lost" }
  ],
  ["voice/knowledge-bases", { name: "Found" }, { search: "found" }, { search: "lost" }]
]

layer(LiveApi.layer, { excludeTestServices: true })("A resource", (it) => {
  it.effect.each(lists)(
    "is listed if it matches every filter, until it is deleted: %s",
    ([path, body, filters, others]) =>
      Effect.gen(function* () {
        const created = yield* call("POST", `/v1/${path}`, { body })
        const listed = (given: object, key: string = keys.admin) =>
          Effect.map(
            call("GET", `/v1/${path}?filters=${encodeURIComponent(JSON.stringify(given))}`, { key }),
            (list) => [list.body.items.map((item: { readonly id: string }) => item.id), list.body.pagination]
          )
        const pagination = { page: 1, limit: 20, total: 1, totalPages: 1 }
        assert.deepStrictEqual(yield* listed(filters), [[created.body.id], pagination])
        const none = [[], { ...pagination, total: 0, totalPages: 0 }]
        assert.deepStrictEqual(yield* listed(filters, keys.otherOrganization), none)
        for (const [name, value] of Object.entries(others)) {
          assert.deepStrictEqual([name, ...(yield* listed({ ...filters, [name]: value }))], [name, ...none])
        }
        if (path === "conversations") return
        const remove = call("DELETE", `/v1/${path}/${created.body.id}`)
        const removed = yield* remove
        assert.deepStrictEqual([removed.status, removed.body], [200, { success: true }])
        assert.deepStrictEqual(yield* listed(filters), none)
        assert.strictEqual((yield* remove).status, 404)
      })
  )
})
