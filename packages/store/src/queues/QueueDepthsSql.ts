import { SqlClient } from "@effect/sql"
import { type QueueDepth, QueueDepths, type QueueName, queueNames } from "@switchboard/services/queues/QueueDepths"
import { DateTime, Effect, Layer } from "effect"
import { forCaller } from "../database/Unavailable.js"

/** What a lost worker holds waits, and so does what is due and that nobody made ready. */
const depthPart = (queue: QueueName) => /* sql */ `
SELECT '${queue}' AS queue, q.ready::float8, q.leased::float8, w.waiting::float8 AS waiting,
  COALESCE(greatest(extract(epoch FROM now() - least(q.since, w.since)), 0), 0)::float8 AS "oldestSeconds"
FROM (
  SELECT count(*) FILTER (WHERE lease_until IS NULL) AS ready,
    count(*) FILTER (WHERE lease_until IS NOT NULL) AS leased,
    min(CASE WHEN lease_until IS NULL THEN ready_at WHEN lease_until < now() THEN lease_until END) AS since
  FROM ${queue}_queue
) AS q CROSS JOIN (
  SELECT count(*) AS waiting, min(due_at) FILTER (WHERE due_at < now()) AS since FROM ${queue}_waiting
) AS w`

const depthsStatement = queueNames.map(depthPart).join("\nUNION ALL")

/** What waits in the tables of all queues. */
export const QueueDepthsSql = Layer.effect(
  QueueDepths,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    all: forCaller(sql.unsafe<QueueDepth>(depthsStatement)),
    unreadMails: (since) =>
      sql<{ unread: number }>`SELECT count(*)::float8 AS unread FROM inbound_mails
        WHERE received_at >= ${DateTime.toDateUtc(since)} AND parse_error IS NOT NULL`.pipe(
        Effect.map(([row]) => row?.unread ?? 0),
        forCaller
      )
  }))
)
