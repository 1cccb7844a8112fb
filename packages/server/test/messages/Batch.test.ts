import { assert, layer } from "@effect/vitest"
import { Array, Effect } from "effect"
import { LiveService, type ServiceResponse, send } from "../LiveService.js"

interface Result {
  readonly status: number
  readonly message?: { readonly id: string }
}

const ids = ({ body }: ServiceResponse) => body.results.map(({ message, status }: Result) => message?.id ?? status)

const isReplayed = ({ headers }: ServiceResponse) => headers.get("idempotent-replayed") === "true"

const sendBatch = (key: string, messages: ReadonlyArray<unknown>) =>
  Effect.flatMap(LiveService, ({ call }) =>
    call("POST", "/v1/messages/batch", { messages }, { "Idempotency-Key": key })
  )

layer(LiveService.layer({ DEDUPE_WINDOW: "0 seconds" }), { excludeTestServices: true })(
  "A batch with an idempotency key",
  (it) => {
    it.effect("is sent once, also concurrently, and a send keeps its own key", () =>
      Effect.gen(function* () {
        const { call } = yield* LiveService
        const keyed = send({ idempotencyKey: "own" })
        const messages = [send(), { channel: "email" }, keyed, send()]
        const all = yield* Effect.all(Array.replicate(sendBatch("b1", messages), 4), { concurrency: "unbounded" })
        assert.deepStrictEqual(
          all.map(({ status }) => status),
          [200, 200, 200, 200]
        )
        assert.lengthOf(
          all.filter((response) => !isReplayed(response)),
          1
        )
        assert.strictEqual(new Set(all.map((response) => ids(response).join())).size, 1)
        const [first, invalid, own, last] = ids(yield* sendBatch("b1", messages))
        assert.strictEqual(invalid, 422)
        assert.strictEqual(new Set([first, own, last]).size, 3)
        const alone = yield* call("POST", "/v1/messages", keyed)
        assert.deepStrictEqual([alone.body.id, isReplayed(alone)], [own, true])
        const { body } = yield* call("GET", "/v1/messages")
        assert.strictEqual(body.pagination.total, 3)
      })
    )

    it.effect("refuses another batch with its key, unless no send was accepted", () =>
      Effect.gen(function* () {
        const { call } = yield* LiveService
        const refused = yield* sendBatch("b2", [{ channel: "email" }])
        assert.deepStrictEqual([refused.status, ids(refused)], [200, [422]])
        const message = send()
        const sent = yield* sendBatch("b2", [message])
        assert.isFalse(isReplayed(sent))
        const other = yield* sendBatch("b2", [message, send()])
        assert.deepStrictEqual([other.status, other.body.resource], [409, "idempotencyKey"])
        yield* call("DELETE", `/v1/messages/${ids(sent)[0]}`)
        assert.deepStrictEqual(ids(yield* sendBatch("b2", [message])), [409])
      })
    )

    it.effect("is sent again without a key", () =>
      Effect.gen(function* () {
        const { call } = yield* LiveService
        const batch = { messages: [send()] }
        const [first, second] = yield* Effect.all([1, 2].map(() => call("POST", "/v1/messages/batch", batch)))
        assert(first !== undefined && second !== undefined)
        assert.notDeepEqual(ids(first), ids(second))
        assert.isFalse(isReplayed(second))
      })
    )
  }
)
