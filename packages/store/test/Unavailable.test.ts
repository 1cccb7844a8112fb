import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { CallerPatience, callerPatience } from "@switchboard/services/CallerPatience"
import { Deferred, Effect, Layer } from "effect"
import { groupCommit } from "../src/GroupCommit.js"
import { forCaller } from "../src/Unavailable.js"
import { TestDatabase, TestDatabaseUrl } from "./TestDatabase.js"

/** A statement that takes most of the patience. */
const slow = Effect.flatMap(PgClient.PgClient, (sql) => forCaller(sql`SELECT pg_sleep(0.6)`))
const answers = (asked: ReadonlyArray<Effect.Effect<unknown, { readonly _tag: string }, PgClient.PgClient>>) =>
  Effect.forEach(asked, Effect.match({ onFailure: ({ _tag }) => _tag, onSuccess: () => "answered" }))

layer(TestDatabase.pipe(Layer.provide(TestDatabaseUrl.Live)), { excludeTestServices: true })("A caller", (it) => {
  it.effect("waits once for all that one request asks of the database, then it is asked nothing more", () =>
    Effect.gen(function* () {
      const patient = Effect.locally(callerPatience, new CallerPatience(1_000))
      assert.deepStrictEqual(yield* patient(answers([slow, slow, slow, slow])), [
        "answered",
        "ServiceUnavailableError",
        "ServiceUnavailableError",
        "ServiceUnavailableError"
      ])
    })
  )

  it.scoped("that has waited for a statement does not wait as long for a transaction that is shared", () =>
    Effect.gen(function* () {
      let written = 0
      const stored = yield* Deferred.make<void>()
      const write = yield* groupCommit<number, number, never>(
        (items) =>
          Effect.zipRight(
            Effect.sync(() => written++),
            Effect.as(Deferred.await(stored), items.map(Effect.succeed))
          ),
        100,
        () => 0
      )
      const patient = Effect.locally(callerPatience, new CallerPatience(1_000))
      assert.deepStrictEqual(yield* patient(answers([slow, write(1), write(2)])), [
        "answered",
        "ServiceUnavailableError",
        "ServiceUnavailableError"
      ])
      assert.strictEqual(written, 1)
      yield* Deferred.succeed(stored, undefined)
    })
  )

  it.effect("that nobody counts for waits for each thing by itself", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* answers([slow, slow]), ["answered", "answered"])
    })
  )
})
