import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { acceptMessages } from "@switchboard/store/messages/accept/AcceptMessages"
import { findRecentFirst, findReplays, type Repetition } from "@switchboard/store/messages/accept/FindReplays"
import { Effect, Either } from "effect"
import { StoreLive } from "../../StoreLive.js"
import { makeOrganization, newMessage } from "../Fixtures.js"

const only = <A, E, E2, R>(results: Effect.Effect<ReadonlyArray<Effect.Effect<A, E>>, E2, R>) =>
  Effect.flatMap(results, ([result]) => result ?? Effect.dieMessage("no result"))

/** The sends of a process, with the number of times that it ran the statement that stores messages. */
const makeProcess = Effect.map(SqlClient.SqlClient, (sql) => {
  let stores = 0
  const findReplay = (send: Repetition) => only(findReplays(sql)([send]))
  const send = findRecentFirst((message) => {
    stores++
    return only(acceptMessages(sql, findReplay)([message]))
  }, findReplay)
  return { send, stores: () => stores }
})

layer(StoreLive, { excludeTestServices: true })("A send with a recent idempotency key", (it) => {
  it.effect("returns the earlier message without storing it again", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const { send, stores } = yield* makeProcess
      const first = yield* send(yield* newMessage(own, { key: "once" }))
      const again = yield* send(yield* newMessage(own, { key: "once" }))
      const other = yield* Effect.either(send(yield* newMessage(own, { key: "once", fingerprint: "other" })))
      assert.deepStrictEqual([again.replayed, again.message.id, stores()], [true, first.message.id, 1])
      assert.strictEqual(Either.isLeft(other) ? other.left._tag : "accepted", "ConflictError")
      assert.strictEqual((yield* send(yield* newMessage(own, { key: "new" }))).replayed, false)
      assert.strictEqual((yield* send(yield* newMessage(yield* makeOrganization(), { key: "once" }))).replayed, false)
      assert.strictEqual(stores(), 3)
    })
  )

  it.effect("is accepted if the record of the key was deleted", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeOrganization()
      const { send } = yield* makeProcess
      yield* send(yield* newMessage(own, { key: "once" }))
      yield* sql`DELETE FROM message_claims WHERE organization_id = ${own}`
      assert.strictEqual((yield* send(yield* newMessage(own, { key: "once" }))).replayed, false)
    })
  )

  it.effect("returns the message of another process", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const [one, other] = [yield* makeProcess, yield* makeProcess]
      const first = yield* one.send(yield* newMessage(own, { key: "once" }))
      const again = yield* other.send(yield* newMessage(own, { key: "once" }))
      assert.deepStrictEqual([again.replayed, again.message.id, other.stores()], [true, first.message.id, 1])
      yield* other.send(yield* newMessage(own, { key: "once" }))
      assert.strictEqual(other.stores(), 1)
    })
  )
})
