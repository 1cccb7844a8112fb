import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { maxReads } from "@switchboard/store/database/ReadSlots"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Array, Effect, Fiber, Layer } from "effect"
import { makeTenants } from "./document/Tenants.js"
import { callerOnce, LiveService, send, until } from "./LiveService.js"

const Live = Layer.unwrapEffect(Effect.map(TestDatabaseUrl, (url) => PgClient.layer({ url, maxConnections: 2 }))).pipe(
  Layer.provideMerge(LiveService.layer())
)

/** Makes every list of drafts with rows wait forever. */
const blockDrafts = Effect.flatMap(PgClient.PgClient, (sql) =>
  sql.unsafe(`
    CREATE FUNCTION never_ends(organization uuid) RETURNS boolean LANGUAGE plpgsql VOLATILE AS
      $$ BEGIN PERFORM pg_sleep(3600); RETURN organization IS NOT NULL; END $$;
    ALTER TABLE drafts RENAME TO drafts_stored;
    CREATE VIEW drafts AS SELECT * FROM drafts_stored WHERE never_ends(organization_id)`)
)

const readsInProgress = Effect.flatMap(PgClient.PgClient, (sql) =>
  Effect.map(
    sql`SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`,
    ({ length }) => length
  )
)

layer(Live, { excludeTestServices: true })("Slow reads of one organization", (it) => {
  it.effect("are limited to two at a time, and other organizations are served", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* LiveService
      const call = callerOnce(baseUrl)
      const { otherKey } = yield* makeTenants
      const other = callerOnce(baseUrl, otherKey)
      assert.strictEqual(
        (yield* call("POST", "/v1/drafts", {
          channel: "email",
          recipients: [{ email: "ada@example.com" }],
          content: { body: "Slow" }
        })).status,
        201
      )
      yield* blockDrafts

      const slowReads = yield* Effect.fork(
        Effect.forEach(Array.range(1, 12), () => call("GET", "/v1/drafts"), { concurrency: "unbounded" })
      )
      yield* until(readsInProgress, (count) => count >= maxReads)
      const [slow, served] = yield* Effect.zip(
        Fiber.join(slowReads),
        Effect.forEach(Array.range(1, 10), () =>
          Effect.gen(function* () {
            const sent = yield* other("POST", "/v1/messages", send())
            const read = yield* other("GET", `/v1/messages/${sent.body.id}`)
            const listed = yield* other("GET", "/v1/messages")
            const drafts = yield* other("GET", "/v1/drafts")
            const own = yield* call("POST", "/v1/messages", send())
            assert.isAtMost(yield* readsInProgress, maxReads)
            return [sent.status, read.status, listed.status, drafts.status, own.status]
          })
        ),
        { concurrent: true }
      )
      assert.deepStrictEqual(
        new Set(slow.map(({ body, status }) => `${status} ${body._tag}`)),
        new Set(["503 ServiceUnavailableError"])
      )
      assert.deepStrictEqual(
        served,
        served.map(() => [201, 200, 200, 200, 201])
      )
      yield* until(readsInProgress, (count) => count === 0)
    })
  )
})
