import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { Data, Effect } from "effect"
import { forCaller, orUnavailable } from "../database/Unavailable.js"
import { M0001Messages } from "./M0001Messages.js"
import { M0002QueueAge } from "./M0002QueueAge.js"
import { M0003Keys } from "./M0003Keys.js"
import { M0004Webhooks } from "./M0004Webhooks.js"
import { M0005Email } from "./M0005Email.js"
import { M0006Receiving } from "./M0006Receiving.js"
import { M0007Voice } from "./M0007Voice.js"
import { M0008OpenTracking } from "./M0008OpenTracking.js"
import { M0009KnowledgeBases } from "./M0009KnowledgeBases.js"
import { M0010MessageCounts } from "./M0010MessageCounts.js"
import { M0011Forwarding } from "./M0011Forwarding.js"
import { M0012VoiceCalls } from "./M0012VoiceCalls.js"
import { M0013Drafts } from "./M0013Drafts.js"
import { M0014Retention } from "./M0014Retention.js"
import { M0015ServiceWindows } from "./M0015ServiceWindows.js"
import { M0016CallSummaries } from "./M0016CallSummaries.js"
import { M0017CatchAllTotals } from "./M0017CatchAllTotals.js"
import { M0018RemovedParticipants } from "./M0018RemovedParticipants.js"
import { M0019Installation } from "./M0019Installation.js"
import { M0020BegunAttempts } from "./M0020BegunAttempts.js"
import { M0021BlockScopes } from "./M0021BlockScopes.js"
import { M0022WebhookBodies } from "./M0022WebhookBodies.js"
import { M0023RewrittenSenders } from "./M0023RewrittenSenders.js"
import { M0024WaitingForwardings } from "./M0024WaitingForwardings.js"

interface Migration {
  readonly id: number
  readonly name: string
  readonly sql: string
}

/** Forward only. What has been released is never changed: a later migration changes it. */
const migrations: ReadonlyArray<Migration> = [
  { id: 1, name: "messages", sql: M0001Messages },
  { id: 2, name: "queue age", sql: M0002QueueAge },
  { id: 3, name: "keys", sql: M0003Keys },
  { id: 4, name: "webhooks", sql: M0004Webhooks },
  { id: 5, name: "email", sql: M0005Email },
  { id: 6, name: "receiving", sql: M0006Receiving },
  { id: 7, name: "voice", sql: M0007Voice },
  { id: 8, name: "open tracking", sql: M0008OpenTracking },
  { id: 9, name: "knowledge bases", sql: M0009KnowledgeBases },
  { id: 10, name: "message counts", sql: M0010MessageCounts },
  { id: 11, name: "forwarding", sql: M0011Forwarding },
  { id: 12, name: "voice calls", sql: M0012VoiceCalls },
  { id: 13, name: "drafts", sql: M0013Drafts },
  { id: 14, name: "retention", sql: M0014Retention },
  { id: 15, name: "service windows", sql: M0015ServiceWindows },
  { id: 16, name: "call summaries", sql: M0016CallSummaries },
  { id: 17, name: "catch-all totals", sql: M0017CatchAllTotals },
  { id: 18, name: "removed participants", sql: M0018RemovedParticipants },
  { id: 19, name: "installation", sql: M0019Installation },
  { id: 20, name: "begun attempts", sql: M0020BegunAttempts },
  { id: 21, name: "block scopes", sql: M0021BlockScopes },
  { id: 22, name: "webhook bodies", sql: M0022WebhookBodies },
  { id: 23, name: "rewritten senders", sql: M0023RewrittenSenders },
  { id: 24, name: "waiting forwardings", sql: M0024WaitingForwardings }
]

const newest = migrations.at(-1)?.id ?? 0

/** Any number that no other program locks: it stands for the schema. */
const lockKey = 7_231_907_514

/** The database is of a newer release than this program. */
export class NewerSchemaError extends Data.TaggedError("NewerSchemaError")<{ readonly message: string }> {}

const applied = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [table] = yield* sql<{ exists: boolean }>`SELECT to_regclass('switchboard_migrations') IS NOT NULL AS exists`
  if (!table?.exists) return 0
  const [row] = yield* sql<{ id: number }>`SELECT COALESCE(max(id), 0)::int AS id FROM switchboard_migrations`
  return row?.id ?? 0
})

/** How many migrations the database lacks; a negative number is how far it is ahead of this program. */
export const pendingMigrations = forCaller(
  Effect.map(applied, (done) => (done > newest ? newest - done : migrations.filter(({ id }) => id > done).length))
)

const bringUp = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const step = sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`SELECT pg_advisory_xact_lock(${lockKey})`
      yield* sql`CREATE TABLE IF NOT EXISTS switchboard_migrations (
        id integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`
      const done = yield* applied
      if (done > newest) {
        return yield* new NewerSchemaError({
          message: `The database is at migration ${done}, this release knows ${newest}: run the newer release`
        })
      }
      const next = migrations.find(({ id }) => id > done)
      if (next === undefined) return null
      yield* sql.unsafe(next.sql)
      yield* sql`INSERT INTO switchboard_migrations (id, name) VALUES (${next.id}, ${next.name})`
      return next.name
    })
  )
  const names: Array<string> = []
  for (;;) {
    const name = yield* orUnavailable(step)
    if (name === null) return names
    names.push(name)
  }
})

/**
 * Brings the schema up to this release, each migration in its own transaction. Processes that start together do it
 * one after the other. The names of the migrations that were applied. Over a connection of its own, without the pool's
 * limits: a migration of a large table, or waiting for one, takes as long as it takes.
 */
export const migrate = Effect.flatMap(PgClient.PgClient, ({ config }) =>
  Effect.provide(bringUp, PgClient.layer({ ...config, maxConnections: 1 }))
).pipe(orUnavailable)
