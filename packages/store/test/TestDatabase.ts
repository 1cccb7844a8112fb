import { randomUUID } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { Database, DatabaseConnections } from "@switchboard/store/database/Database"
import { Context, Effect, Layer, Redacted } from "effect"
import { databaseUrl } from "./globalSetup.js"

/** The URL of a migrated database for one test file, dropped after it. */
export class TestDatabaseUrl extends Context.Tag("test/TestDatabaseUrl")<TestDatabaseUrl, Redacted.Redacted<string>>() {
  static readonly Live = Layer.scoped(
    TestDatabaseUrl,
    Effect.gen(function* () {
      // A dynamic import, because `npm run faults` imports helpers that import this file outside of vitest.
      const { inject } = yield* Effect.promise(() => import("vitest"))
      const server = inject("databaseServer")
      const name = `test_${randomUUID().replaceAll("-", "")}`
      const statement = (text: string) =>
        Effect.flatMap(PgClient.PgClient, (sql) => sql.unsafe(text)).pipe(
          Effect.provide(PgClient.layer({ url: Redacted.make(server), maxConnections: 1 }))
        )
      yield* Effect.acquireRelease(statement(`CREATE DATABASE ${name} TEMPLATE ${inject("databaseTemplate")}`), () =>
        Effect.orDie(statement(`DROP DATABASE ${name} WITH (FORCE)`))
      )
      return Redacted.make(databaseUrl(server, name))
    })
  )
}

/** Connections to the test file's database. */
export const testDatabase = (poolSize: number) =>
  Layer.provide(
    Database,
    Layer.effect(
      DatabaseConnections,
      Effect.map(TestDatabaseUrl, (url) => ({ url, poolSize, workConnections: 0, applicationName: "switchboard-test" }))
    )
  )

/** Connections to the test file's database, with the pool size of a service process. */
export const TestDatabase = testDatabase(10)
