import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Effect, Layer } from "effect"
import { Installation } from "./Installation.js"
import type { Operation } from "./Operations.js"
import { ownRequest } from "./Requests.js"
import { stockOf } from "./Stock.js"

/** What whoever asks is told by first, and so would keep all else from being asked. */
const needed = ["api_keys", "organizations", "sessions"]

// Somebody else, who holds on for as long as it takes.
const Stranger = Layer.unwrapEffect(Effect.map(TestDatabaseUrl, (url) => PgClient.layer({ url, maxConnections: 1 })))

const Live = Layer.merge(Installation.Live, Stranger).pipe(Layer.provide(TestDatabaseUrl.Live))

/** While nobody else gets at any row. */
const locked = <A, E, R>(meanwhile: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const tables = yield* sql<{ name: string }>`SELECT tablename AS name FROM pg_tables
      WHERE schemaname = 'public' AND NOT ${sql.in("tablename", needed)}`
    yield* sql.unsafe(`LOCK TABLE ${tables.map(({ name }) => name).join(", ")} IN ACCESS EXCLUSIVE MODE`)
    return yield* meanwhile
  }).pipe((transaction) => Effect.flatMap(PgClient.PgClient, (sql) => sql.withTransaction(transaction)))

/** Streams are begun, and then go on as long as they like. */
const isAsked = ({ isStream, permission }: Operation) => !isStream && permission !== null

layer(Live, { timeout: "300 seconds", excludeTestServices: true })("While what it needs is locked", (it) => {
  it.effect(
    "every operation says when to come again, and none waits for ever",
    () =>
      Effect.gen(function* () {
        const installation = yield* Installation
        const { askOnce, credentials, operations, owner } = installation
        const stock = yield* stockOf(installation, owner, "Locked")
        const requests = yield* Effect.forEach(
          operations.filter(isAsked),
          (operation) => Effect.map(ownRequest(operation, stock), (given) => ({ operation, given })),
          { concurrency: 6 }
        )
        const headers = yield* credentials(owner.key, "apiKey")
        const answers = yield* locked(
          Effect.forEach(
            requests,
            ({ given, operation }) =>
              Effect.map(askOnce(operation, { ...given, headers: { ...given.headers, ...headers } }), (answer) => ({
                operation,
                answer
              })),
            { concurrency: 16 }
          )
        )
        const wrong = answers.flatMap(({ answer, operation }) => [
          ...answer.problems,
          ...(answer.status === 500 ? [`${operation.id} answers ${answer.text}`] : []),
          ...(answer.status === 503 && !("retry-after" in answer.headers) ? [`${operation.id} does not say when`] : [])
        ])
        assert.deepStrictEqual(wrong, [])
        // Operations on keys need their tables alone, detectRegistrar needs DNS; a batch reports each message by itself.
        const answered = answers.filter(({ answer }) => answer.status !== 503)
        assert.deepStrictEqual(
          answered.flatMap(({ operation: { id, permission } }) =>
            /^apiKeys/.test(permission ?? "") || id === "domains.detectRegistrar" ? [] : [id]
          ),
          ["messages.batch"]
        )
      }),
    300_000
  )
})
