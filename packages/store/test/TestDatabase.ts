import { randomUUID } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { Database, DatabaseConnections } from "@switchboard/store/database/Database"
import { Context, Effect, Layer, Redacted } from "effect"
import { databaseUrl } from "./globalSetup.js"

/** The address of a database that belongs to one test file: migrated, and dropped at its end. */
export class TestDatabaseUrl extends Context.Tag("test/TestDatabaseUrl")<TestDatabaseUrl, Redacted.Redacted<string>>() {
  static readonly Live = Layer.scoped(
    TestDatabaseUrl,
    Effect.gen(function* () {
      // Imported here: the helpers that import this file also run outside vitest (npm run faults).
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

/** Connections to the test file's database, as a process of the service has them. */
export const TestDatabase = testDatabase(10)
