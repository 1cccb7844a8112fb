import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { RetentionRepo } from "@switchboard/services/retention/RetentionRepo"
import { DateTime, Duration, Effect, Layer, Number } from "effect"
import { orUnavailable, retryConflicts } from "../database/Unavailable.js"
import { bodiesBatch, eraseBodies } from "./EraseBodies.js"
import { eraseEvents } from "./EraseEvents.js"
import { eraseForwardings } from "./EraseForwardings.js"
import { eraseInboundRaw } from "./EraseInboundRaw.js"
import { bounds, firstId } from "./RetentionMarks.js"

/** Statistics tell of the last thirty days. */
const asked = Duration.days(31)

const joinStatement = /* sql */ `
WITH old AS (
  DELETE FROM catch_all_counts
  WHERE organization_id = $1 AND hour < now() - make_interval(secs => $2) AND hour > 'epoch'
  RETURNING domain_id, received, rejected, forwarded
), joined AS (
  INSERT INTO catch_all_counts AS c (organization_id, domain_id, hour, received, rejected, forwarded)
  SELECT $1::uuid, domain_id, 'epoch', sum(received), sum(rejected), sum(forwarded) FROM old
  GROUP BY domain_id ORDER BY domain_id
  ON CONFLICT (organization_id, domain_id, hour) DO UPDATE SET received = c.received + excluded.received,
    rejected = c.rejected + excluded.rejected, forwarded = c.forwarded + excluded.forwarded
)
SELECT count(*)::int AS count FROM old`

/** Makes one of an organization's old hours of catch-alls, so that they count on; how many those were. */
const joinHours = (sql: SqlClient.SqlClient, organization: OrganizationId, kept: Duration.Duration) =>
  Effect.map(
    sql.unsafe<{ readonly count: number }>(joinStatement, [
      organization,
      Duration.toSeconds(Duration.max(kept, asked))
    ]),
    ([row]) => row?.count ?? 0
  )

/** Entries of one transaction. */
const blockLogsBatch = 1_000

const eraseStatement = /* sql */ `
DELETE FROM email_block_logs WHERE organization_id = $1 AND id IN (
  SELECT id FROM email_block_logs WHERE organization_id = $1 AND id < $2 ORDER BY id LIMIT ${blockLogsBatch}
  FOR UPDATE SKIP LOCKED
) RETURNING 1`

/** Erases a batch of an organization's old log of blocks; the blocks stay. */
const eraseBlockLogs = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  kept: Duration.Duration,
  after: string
) {
  const { end } = bounds(yield* DateTime.now, kept)
  const gone = yield* sql.unsafe(eraseStatement, [organization, end])
  return { erased: gone.length, after: gone.length < blockLogsBatch ? null : after }
})

const beginning: { readonly total: number; readonly after: string | null } = { total: 0, after: firstId }

/** What was kept long enough, organization by organization: each by its primary key. */
export const RetentionRepoSql = Layer.effect(
  RetentionRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const ofEach = <E>(erase: (organization: OrganizationId) => Effect.Effect<number, E>) =>
      orUnavailable(sql<{ id: OrganizationId }>`SELECT id FROM organizations ORDER BY id`).pipe(
        Effect.flatMap((organizations) => Effect.forEach(organizations, ({ id }) => erase(id))),
        Effect.map(Number.sumAll)
      )

    const transaction = <A>(batch: Effect.Effect<A, SqlError>) =>
      batch.pipe(sql.withTransaction, retryConflicts, orUnavailable)

    /** Goes through an organization's rows by their ids. */
    const goThrough = (
      batch: (after: string) => Effect.Effect<{ readonly erased: number; readonly after: string | null }, SqlError>
    ) =>
      Effect.iterate(beginning, {
        while: ({ after }) => after !== null,
        body: ({ after, total }) =>
          Effect.map(transaction(batch(after ?? firstId)), (one) => ({ total: total + one.erased, after: one.after }))
      }).pipe(Effect.map(({ total }) => total))

    return {
      eraseBodies: (kept) =>
        ofEach((organization) =>
          Effect.iterate(
            { total: 0, found: bodiesBatch },
            {
              while: ({ found }) => found >= bodiesBatch,
              body: ({ total }) =>
                Effect.map(transaction(eraseBodies(sql, organization, kept)), ({ erased, found }) => ({
                  total: total + erased,
                  found
                }))
            }
          ).pipe(Effect.map(({ total }) => total))
        ),
      eraseEvents: (kept) =>
        ofEach((organization) => goThrough((after) => eraseEvents(sql, organization, kept, after))),
      eraseMailLogs: (kept) =>
        ofEach((organization) =>
          Effect.map(
            Effect.all([
              goThrough((after) => eraseForwardings(sql, organization, kept, after)),
              goThrough((after) => eraseBlockLogs(sql, organization, kept, after)),
              transaction(joinHours(sql, organization, kept))
            ]),
            Number.sumAll
          )
        ),
      eraseInboundRaw: (kept) =>
        ofEach((organization) => goThrough((after) => eraseInboundRaw(sql, organization, kept, after)))
    }
  })
)
