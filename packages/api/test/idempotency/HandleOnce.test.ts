import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Array, Effect } from "effect"
import { type ApiResponse, call, keys, LiveApi } from "../LiveApi.js"

const create = (path: string, idempotencyKey: string, body: unknown, key = keys.admin) =>
  call("POST", path, { key, body, headers: { "Idempotency-Key": idempotencyKey } })

const isReplayed = ({ headers }: ApiResponse) => headers.get("idempotent-replayed") === "true"

const conflict = (message: string, resource: string) => ({ _tag: "ConflictError", message, resource })

layer(LiveApi.layer, { excludeTestServices: true })("A resource with an idempotency key", (it) => {
  it.effect("leaves nothing of the requests that lose", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const countEvents = Effect.map(
        sql<{ readonly count: number }>`SELECT count(*)::int AS count FROM events WHERE type = 'conversation.created'`,
        ([row]) => row?.count ?? 0
      )
      const before = yield* countEvents
      const body = { title: "Lost", channels: ["email"] }
      const responses = yield* Effect.all(
        Array.makeBy(8, () => create("/v1/conversations", "lost", body)),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        responses.filter((response) => !isReplayed(response)),
        1
      )
      const filters = encodeURIComponent(JSON.stringify({ search: "Lost" }))
      const { body: list } = yield* call("GET", `/v1/conversations?filters=${filters}`)
      assert.strictEqual(list.pagination.total, 1)
      assert.strictEqual(yield* countEvents, before + 1)
    })
  )

  it.effect("is returned as it is now, and not after it was deleted", () =>
    Effect.gen(function* () {
      const participant = { name: "Ada", metadata: { a: 1, b: 2 } }
      const { body: created } = yield* create("/v1/participants", "ada", participant)
      yield* call("PATCH", `/v1/participants/${created.id}`, { body: { name: "Lady Ada" } })
      // The order of fields makes no difference.
      const replay = yield* create("/v1/participants", "ada", { metadata: { b: 2, a: 1 }, name: "Ada" })
      assert.deepStrictEqual([replay.status, replay.body.id, replay.body.name], [201, created.id, "Lady Ada"])
      assert.strictEqual(replay.headers.get("location"), `/v1/participants/${created.id}`)
      yield* call("DELETE", `/v1/participants/${created.id}`)
      const deleted = yield* create("/v1/participants", "ada", participant)
      assert.deepStrictEqual(
        [deleted.status, deleted.body],
        [409, conflict("The idempotency key belongs to a resource that was deleted", "participant")]
      )
    })
  )

  it.effect("keeps its key for the same request of the same organization and operation", () =>
    Effect.gen(function* () {
      const participant = { name: "Grace" }
      const { body: created } = yield* create("/v1/participants", "grace", participant)
      const reused = yield* create("/v1/participants", "grace", { name: "Hopper" })
      assert.deepStrictEqual(
        [reused.status, reused.body],
        [409, conflict("The idempotency key was used before with a different request", "idempotencyKey")]
      )
      const other = yield* create("/v1/participants", "grace", participant, keys.otherOrganization)
      assert.deepStrictEqual([other.status, isReplayed(other)], [201, false])
      assert.notStrictEqual(other.body.id, created.id)
      const base = yield* create("/v1/voice/knowledge-bases", "grace", participant)
      assert.deepStrictEqual([base.status, isReplayed(base)], [201, false])
    })
  )

  it.effect("has an open upload link until the document is uploaded", () =>
    Effect.gen(function* () {
      const { body: base } = yield* call("POST", "/v1/voice/knowledge-bases", { body: { name: "Uploads" } })
      const path = `/v1/voice/knowledge-bases/${base.id}/upload-url`
      const document = { filename: "a.json", contentType: "application/json", contentLength: 2 }
      const { body: created } = yield* create(path, "a.json", document)
      const replay = yield* create(path, "a.json", document)
      assert.isTrue(isReplayed(replay))
      assert.deepStrictEqual(replay.body, created)
      const upload = new URL(created.uploadUrl)
      assert.strictEqual((yield* call("PUT", upload.pathname, { key: null, body: "{}" })).status, 200)
      const used = yield* create(path, "a.json", document)
      assert.deepStrictEqual([used.status, used.body.resource], [409, "document"])
    })
  )
})
