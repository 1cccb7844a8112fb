import { PgClient } from "@effect/sql-pg"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Effect, Layer } from "effect"
import { makeFixtures } from "./Fixtures.js"
import type { Installation } from "./Installation.js"
import type { Operation } from "./Operations.js"
import { ownRequest } from "./Requests.js"

/** Tables that authentication reads: with them locked, no operation would be reached. */
const authenticationTables = ["api_keys", "earlier_key_values", "organizations", "sessions"]

/** A session that holds the locks. */
export const LockSession = Layer.unwrapEffect(
  Effect.map(TestDatabaseUrl, (url) => PgClient.layer({ url, maxConnections: 1 }))
)

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

/** The responses to operations with locked tables that are wrong, and the operations that are available. */
export const lockedResponses = Effect.fnUntraced(function* (installation: Installation["Type"]) {
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
        Effect.map(requestOnce(operation, { ...parts, headers: { ...parts.headers, ...headers } }), (response) => ({
          operation,
          response
        })),
      { concurrency: 48 }
    )
  )
  const wrong = responses.flatMap(({ response, operation }) => [
    ...response.problems,
    ...(response.status === 500 ? [`${operation.id} responds ${response.text}`] : []),
    ...(response.status === 503 && !("retry-after" in response.headers) ? [`${operation.id} has no Retry-After`] : [])
  ])
  const available = responses.filter(({ response }) => response.status !== 503)
  return { wrong, available: available.map(({ operation }) => operation) }
})
