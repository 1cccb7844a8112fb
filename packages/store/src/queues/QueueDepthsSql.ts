import { SqlClient } from "@effect/sql"
import { channelOf, type QueueDepth, type QueueName, queueNames } from "@switchboard/domain/system/SystemStatus"
import { QueueDepths } from "@switchboard/services/queues/QueueDepths"
import { DateTime, Effect, Layer } from "effect"
import { forRequest } from "../database/Unavailable.js"

/** The maximum number of pages read per table. The numbers of a larger table are estimated from a sample. */
const maxPages = 500

/** SQL: the number of a table's pages of 8 KiB, at least 1. */
const pagesOf = (table: string) => `greatest(pg_relation_size('${table}') / 8192.0, 1)`

/** SQL: the fraction of a table's pages that is read, from 0 to 1. */
const shareOf = (table: string) => `least(1, ${maxPages} / ${pagesOf(table)})::float8`

const sampleOf = (table: string) => `${table} TABLESAMPLE SYSTEM (100 * ${shareOf(table)})`

/**
 * Selects a queue's depth. An entry's age starts when it was ready, when its lease expired, or when it was due. Expired
 * leases and due entries are found by their indexes; the oldest ready entry is that of the sample.
 */
const depthPart = (queue: QueueName) => /* sql */ `
SELECT '${queue}' AS queue, q.ready, q.leased, w.waiting,
  COALESCE(greatest(extract(epoch FROM now() - least(
    q.ready_since,
    (SELECT min(lease_until) FROM ${queue}_queue WHERE lease_until < now()),
    (SELECT min(due_at) FROM ${queue}_waiting WHERE due_at < now())
  )), 0), 0)::float8 AS "oldestSeconds",
  EXISTS (SELECT 1 FROM installation WHERE held_at IS NOT NULL)
    OR EXISTS (SELECT 1 FROM delivery_pauses WHERE channel = '${channelOf[queue] ?? ""}') AS "isPaused"
FROM (
  SELECT round(count(*) FILTER (WHERE lease_until IS NULL) / ${shareOf(`${queue}_queue`)}) AS ready,
    round(count(*) FILTER (WHERE lease_until IS NOT NULL) / ${shareOf(`${queue}_queue`)}) AS leased,
    min(ready_at) FILTER (WHERE lease_until IS NULL) AS ready_since
  FROM ${sampleOf(`${queue}_queue`)}
) AS q CROSS JOIN (
  SELECT round(count(*) / ${shareOf(`${queue}_waiting`)}) AS waiting FROM ${sampleOf(`${queue}_waiting`)}
) AS w`

export const depthsStatement = queueNames.map(depthPart).join("\nUNION ALL")

/** The depths of all queues: exact for tables up to `maxPages`, estimated for larger ones, which limits the cost. */
export const QueueDepthsSql = Layer.effect(
  QueueDepths,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    all: forRequest(sql.unsafe<QueueDepth>(depthsStatement)),
    unparsedMails: (since) =>
      sql<{ unread: number }>`SELECT count(*)::float8 AS unread FROM inbound_mails
        WHERE received_at >= ${DateTime.toDateUtc(since)} AND parse_error IS NOT NULL`.pipe(
        Effect.map(([row]) => row?.unread ?? 0),
        forRequest
      )
  }))
)
