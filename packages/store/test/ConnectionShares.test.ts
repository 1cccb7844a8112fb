import { assert, layer } from "@effect/vitest"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { connectionUse } from "@switchboard/services/ConnectionUse"
import { shareConnections } from "@switchboard/store/database/Database"
import { maxReads } from "@switchboard/store/database/ReadSlots"
import { Array, Duration, Effect, Option, Redacted } from "effect"
import { Pool } from "pg"
import { SharedDatabase, TestDatabaseUrl } from "./TestDatabase.js"

const pool = Effect.flatMap(TestDatabaseUrl, (url) =>
  Effect.acquireRelease(
    Effect.sync(() => new Pool({ connectionString: Redacted.value(url), max: 10 })),
    (one) => Effect.promise(() => one.end())
  )
)

layer(SharedDatabase, { excludeTestServices: true })("shareConnections", (it) => {
  it.scoped("starts the next read of an organization after the result of the last one is processed", () =>
    Effect.gen(function* () {
      const own = yield* pool
      const slots = shareConnections(own, { statementTimeout: Duration.seconds(10), work: Option.none() })
      const connect = Effect.async<() => void, Error>((resume) =>
        own.connect((error, _, done) => resume(error === undefined ? Effect.succeed(done) : Effect.fail(error)))
      ).pipe(Effect.locally(connectionUse, OrganizationId.make("00000000-0000-7000-8000-000000000001")))
      const [first = assert.fail("no connection"), ...others] = yield* Effect.all(Array.replicate(connect, maxReads))
      const next = yield* Effect.fork(connect)
      yield* Effect.yieldNow()
      first()
      yield* Effect.yieldNow()
      const waiting = slots.waitingCount
      // The pool ends only when all connections are released. While reads are long, they run one at a time.
      for (const done of others) done()
      const last = yield* next
      last()
      assert.strictEqual(waiting, 1)
    })
  )
})
