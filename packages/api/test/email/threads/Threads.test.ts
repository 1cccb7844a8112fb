import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, keys, LiveApi, message } from "../../LiveApi.js"
import { requestedFilters, threadExample } from "./ThreadsInMemory.js"

const threads = "/v1/email/threads"
const unknown = "01a1fc1d-e1a0-7029-814e-d493ca640e30"
const json = (value: unknown) => encodeURIComponent(JSON.stringify(value))

layer(LiveApi.layer, { excludeTestServices: true })("Threads", (it) => {
  it.effect("are counted; `counts` is not an id", () =>
    Effect.gen(function* () {
      const { body, status } = yield* call("GET", `${threads}/counts`)
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body, {
        totalThreads: 1,
        activeThreads: 1,
        resolvedThreads: 0,
        archivedThreads: 0,
        threadsLast7Days: 0,
        threadsLast30Days: 1
      })
    })
  )

  it.effect("are found by id and by message", () =>
    Effect.gen(function* () {
      for (const path of [`${threads}/${threadExample.id}`, `${threads}/by-message/${message.id}`]) {
        const { body, status } = yield* call("GET", path)
        assert.deepStrictEqual([status, body.id, body.unreadCount], [200, threadExample.id, 1])
      }
      const { body } = yield* call("GET", `${threads}/${threadExample.id}/metadata`)
      assert.hasAllKeys(body, [
        "id",
        "subject",
        "participants",
        "messageCount",
        "unreadCount",
        "firstMessageAt",
        "lastMessageAt",
        "hasAttachments"
      ])
      const messages = yield* call("GET", `${threads}/${threadExample.id}/messages?limit=1`)
      assert.deepStrictEqual([messages.body.items[0].id, messages.body.pagination.limit], [message.id, 1])
    })
  )

  it.effect("respond with 404 for other ids and other organizations", () =>
    Effect.gen(function* () {
      for (const [path, key, id] of [
        [`${threads}/${unknown}`, keys.admin, unknown],
        [`${threads}/${unknown}/metadata`, keys.admin, unknown],
        [`${threads}/${unknown}/messages`, keys.admin, unknown],
        [`${threads}/by-message/${unknown}`, keys.admin, unknown],
        [`${threads}/${threadExample.id}`, keys.otherOrganization, threadExample.id],
        [`${threads}/by-message/${message.id}`, keys.otherOrganization, message.id]
      ] as const) {
        const { body, status } = yield* call("GET", path, { key })
        assert.deepStrictEqual([status, body], [404, { _tag: "ResourceNotFoundError", resource: "thread", id }], path)
      }
      assert.strictEqual((yield* call("GET", `${threads}/nothing`)).status, 400)
      assert.strictEqual((yield* call("POST", `${threads}/${unknown}/read`)).status, 404)
    })
  )

  it.effect("are listed by known filters only", () =>
    Effect.gen(function* () {
      const filters = { status: "resolved", participantId: unknown, search: "order" }
      const { body, status } = yield* call("GET", `${threads}?filters=${json(filters)}&limit=5`)
      assert.deepStrictEqual([status, body.items.length, body.pagination.limit], [200, 1, 5])
      assert.deepStrictEqual<unknown>({ ...requestedFilters.at(-1) }, filters)
      for (const wrong of [{ status: "waiting" }, { participantId: "x" }, { subject: "order" }]) {
        assert.strictEqual((yield* call("GET", `${threads}?filters=${json(wrong)}`)).status, 400)
      }
    })
  )

  it.effect("are marked as read", () =>
    Effect.gen(function* () {
      const path = `${threads}/${threadExample.id}/read`
      const { body, status } = yield* call("POST", path)
      assert.deepStrictEqual([status, body.unreadCount], [200, 0])
    })
  )
})
