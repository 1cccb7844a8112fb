import { randomUUID } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { Database, DatabaseConnections } from "@switchboard/store/database/Database"
import { Context, Effect, Layer, Redacted, Scope } from "effect"
import { databaseUrl } from "./globalSetup.js"

/** Creates a migrated database; returns its URL, and how to drop it. Databases that are left are dropped after the run. */
export const createDatabase = Effect.gen(function* () {
  // A dynamic import, because `npm run faults` imports helpers that import this file outside of vitest.
  const { inject } = yield* Effect.promise(() => import("vitest"))
  const [server, template] = [inject("databaseServer"), inject("databaseTemplate")]
  const name = `${template}_${randomUUID().replaceAll("-", "")}`
  const statement = (text: string) =>
    Effect.flatMap(PgClient.PgClient, (sql) => sql.unsafe(text)).pipe(
      Effect.provide(PgClient.layer({ url: Redacted.make(server), maxConnections: 1 }))
    )
  yield* statement(`CREATE DATABASE ${name} TEMPLATE ${template}`)
  return {
    url: Redacted.make(databaseUrl(server, name)),
    drop: Effect.orDie(statement(`DROP DATABASE ${name} WITH (FORCE)`))
  }
})

/** The URL of a migrated database for one test file, dropped after it. */
export class TestDatabaseUrl extends Context.Tag("test/TestDatabaseUrl")<TestDatabaseUrl, Redacted.Redacted<string>>() {
  static readonly Live = Layer.scoped(
    TestDatabaseUrl,
    Effect.map(
      Effect.acquireRelease(createDatabase, ({ drop }) => drop),
      ({ url }) => url
    )
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

/** A database of the test file, with connections to it. */
export const OwnDatabase = Layer.provideMerge(TestDatabase, TestDatabaseUrl.Live)

const connectShared = Effect.gen(function* () {
  const { url } = yield* createDatabase
  return yield* Layer.build(Layer.provideMerge(TestDatabase, Layer.succeed(TestDatabaseUrl, url)))
}).pipe(Scope.extend(Effect.runSync(Scope.make())))

let shared: Promise<Effect.Effect.Success<typeof connectShared>> | undefined

/**
 * Connections to the database that the files of a test worker share, one file after another. For tests that change no
 * schema, empty a queue before they lease from it, and read no other rows of all organizations.
 */
export const SharedDatabase = Layer.effectContext(
  Effect.promise(() => {
    shared ??= Effect.runPromise(connectShared)
    return shared
  })
)
