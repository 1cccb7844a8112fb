import { randomUUID } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { checkDatabaseSettings, RequiresDurability } from "@switchboard/store/database/DatabaseSettings"
import { Effect, Layer, Redacted } from "effect"
import { inject } from "vitest"
import { databaseUrl } from "./globalSetup.js"

const connect = (url: string) => PgClient.layer({ url: Redacted.make(url), maxConnections: 1 })

it.scopedLive("A database with another encoding than UTF8 is refused", () =>
  Effect.gen(function* () {
    const server = inject("databaseServer")
    // A database with the prefix of the template is dropped at the end of the run.
    const name = `${inject("databaseTemplate")}_${randomUUID().replaceAll("-", "")}`
    const sql = yield* PgClient.PgClient
    const check = (database: string) =>
      checkDatabaseSettings.pipe(
        Effect.provideService(RequiresDurability, false),
        Effect.provide(connect(databaseUrl(server, database)))
      )
    yield* sql.unsafe(`CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`)
    const { message } = yield* Effect.flip(check(name))
    assert.strictEqual(
      message,
      "The database must have the encoding UTF8, on a PostgreSQL that is built with ICU: it has the encoding LATIN1, with ICU"
    )
    yield* check(inject("databaseTemplate"))
  }).pipe(Effect.provide(Layer.unwrapEffect(Effect.sync(() => connect(inject("databaseServer"))))))
)
