import { SqlClient } from "@effect/sql"
import { InboundMails } from "@switchboard/services/email/receiving/InboundMails"
import { Effect, Layer } from "effect"
import { orUnavailable, retryConflicts } from "../../database/Unavailable.js"
import { notify, queueTables } from "../../queues/QueueTables.js"
import { mailRow } from "./InboundMailRows.js"

/**
 * Stores one mail for several organizations; its octets are sent to the database once. A repeated mail changes nothing
 * and is neither queued nor counted again. One statement is one transaction.
 */
const storeStatement = /* sql */ `
WITH stored AS (
  INSERT INTO inbound_mails (organization_id, id, fingerprint, mail_from, recipients, remote_address, helo, tls, size,
    raw, received_at)
  SELECT organization_id, id, fingerprint, mail_from, recipients, remote_address, helo, tls, length($2::bytea), $2,
    received_at
  FROM json_to_recordset($1::json) AS m(organization_id uuid, id uuid, fingerprint text, mail_from text,
    recipients json, remote_address text, helo text, tls boolean, received_at timestamptz)
  ORDER BY organization_id
  ON CONFLICT (organization_id, fingerprint) DO NOTHING
  RETURNING organization_id, id, recipients
), caught AS (
  INSERT INTO catch_all_counts AS c (organization_id, domain_id, hour, received)
  SELECT DISTINCT s.organization_id, (r->'kind'->>'domainId')::uuid, date_trunc('hour', now(), 'UTC'), 1
  FROM stored AS s CROSS JOIN json_array_elements(s.recipients) AS r
  WHERE r->'kind'->>'_tag' = 'CatchAll' ORDER BY 1, 2
  ON CONFLICT (organization_id, domain_id, hour) DO UPDATE SET received = c.received + 1
), queued AS (
  INSERT INTO inbound_queue (organization_id, id, ready_at) SELECT organization_id, id, now() FROM stored RETURNING 1
)
SELECT ${notify(queueTables.inbound)} WHERE EXISTS (SELECT 1 FROM queued)`

/** Inbound mail in the table `inbound_mails`. */
export const InboundMailsSql = Layer.effect(
  InboundMails,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    store: (mails) => {
      const [first] = mails
      if (first === undefined) return Effect.void
      const { buffer, byteLength, byteOffset } = first.raw
      return sql
        .unsafe(storeStatement, [JSON.stringify(mails.map(mailRow)), Buffer.from(buffer, byteOffset, byteLength)])
        .pipe(Effect.asVoid, retryConflicts, orUnavailable)
    }
  }))
)
