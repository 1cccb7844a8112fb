import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Effect, Layer } from "effect"
import { makeFixtures } from "./Fixtures.js"
import { Installation } from "./Installation.js"
import type { Operation } from "./Operations.js"
import { ownRequest } from "./Requests.js"

/** Tables that authentication reads: with them locked, no operation would be reached. */
const authenticationTables = ["api_keys", "organizations", "sessions"]

// A second session, which holds the locks.
const LockSession = Layer.unwrapEffect(Effect.map(TestDatabaseUrl, (url) => PgClient.layer({ url, maxConnections: 1 })))

const Live = Layer.merge(Installation.Live, LockSession).pipe(Layer.provide(TestDatabaseUrl.Live))

/** Runs an effect while all other tables are locked. */
const locked = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const tables = yield* sql<{ name: string }>`SELECT tablename AS name FROM pg_tables
      WHERE schemaname = 'public' AND NOT ${sql.in("tablename", authenticationTables)}`
    yield* sql.unsafe(`LOCK TABLE ${tables.map(({ name }) => name).join(", ")} IN ACCESS EXCLUSIVE MODE`)
    return yield* effect
  }).pipe((transaction) => Effect.flatMap(PgClient.PgClient, (sql) => sql.withTransaction(transaction)))

/** Streams are excluded: they respond before they read. */
const isTested = ({ isStream, permission }: Operation) => !isStream && permission !== null

layer(Live, { timeout: "300 seconds", excludeTestServices: true })("With locked tables", (it) => {
  it.effect(
    "every operation responds 503 with Retry-After in time",
    () =>
      Effect.gen(function* () {
        const installation = yield* Installation
        const { requestOnce, credentials, operations, owner } = installation
        const fixtures = yield* makeFixtures(installation, owner, "Locked")
        const requests = yield* Effect.forEach(
          operations.filter(isTested),
          (operation) => Effect.map(ownRequest(operation, fixtures), (parts) => ({ operation, parts })),
          { concurrency: 6 }
        )
        const headers = yield* credentials(owner.key, "apiKey")
        const responses = yield* locked(
          Effect.forEach(
            requests,
            ({ parts, operation }) =>
              Effect.map(
                requestOnce(operation, { ...parts, headers: { ...parts.headers, ...headers } }),
                (response) => ({
                  operation,
                  response
                })
              ),
            { concurrency: 16 }
          )
        )
        const wrong = responses.flatMap(({ response, operation }) => [
          ...response.problems,
          ...(response.status === 500 ? [`${operation.id} responds ${response.text}`] : []),
          ...(response.status === 503 && !("retry-after" in response.headers)
            ? [`${operation.id} has no Retry-After`]
            : [])
        ])
        assert.deepStrictEqual(wrong, [])
        // API key operations use unlocked tables, detectRegistrar only DNS, and a batch has a status per message.
        const available = responses.filter(({ response }) => response.status !== 503)
        assert.deepStrictEqual(
          available.flatMap(({ operation: { id, permission } }) =>
            /^apiKeys/.test(permission ?? "") || id === "domains.detectRegistrar" ? [] : [id]
          ),
          ["messages.batch"]
        )
      }),
    300_000
  )
})
