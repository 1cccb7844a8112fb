import { createHash } from "node:crypto"
import { SqlClient } from "@effect/sql"
import { newUuid } from "@switchboard/services/NewId"
import type { ProviderEvent } from "@switchboard/services/providers/ProviderEvent"
import { ProviderEvents } from "@switchboard/services/providers/ProviderEvents"
import { DateTime, Effect, Layer, Metric } from "effect"
import { groupCommit } from "../database/GroupCommit.js"
import { orUnavailable, retryConflicts } from "../database/Unavailable.js"
import { notify, queueTables } from "../queues/QueueTables.js"

/** The organization of receipts: only their messages have one. Queues do not visit the nil UUID as an owner. */
export const noOrganization = "00000000-0000-7000-8000-000000000000"

const unownedTotal = Metric.counter("switchboard_received_texts_unowned_total", {
  description: "Received texts to a number that no organization has",
  incremental: true
})

/** A part of a concatenated text has no id of the provider. It is a repeat if it arrives again within this time. */
const partRepeatTime = "5 minutes"

/** Events that share a transaction. */
const maxBatch = 500

/** Callers that are in a batch or wait for one; further callers wait outside, so that none is refused. */
const maxCallers = 2_000

/** PostgreSQL reads no NUL in JSON. */
const keyText = (text: string) => text.replaceAll("\u0000", "").toWellFormed()

const digest = (text: string) => createHash("sha256").update(text).digest("base64url")

/** The text's place in its conversation, and the key by which a repeat is recognized. */
const textColumns = (event: Extract<ProviderEvent, { readonly _tag: "ReceivedText" }>) => {
  const [from, to] = [keyText(event.from), keyText(event.to)]
  const { part, providerMessageId, text } = event
  const partOf = part === null ? null : `${event.channel} ${from} ${to} ${part.reference} ${part.total}`
  const id = providerMessageId === null ? null : keyText(providerMessageId)
  // Receipts look up ids without a prefix: they find no received text.
  const byId = id === null ? null : `received ${to} ${id}${part === null ? "" : ` ${part.number}`}`
  const byPart = part === null ? null : `part ${digest(`${partOf} ${part.number} ${text}`)}`
  return { number: to, part_of: partOf, repeat_key: byId ?? byPart }
}

const receiptColumns = { number: null, part_of: null, repeat_key: null }

/** The record of an event for `json_to_recordset`. The event is JSON as a text: a part can have half a pair. */
const eventRow = (event: ProviderEvent, now: DateTime.Utc) => ({
  id: newUuid(DateTime.toEpochMillis(now)),
  channel: event.channel,
  event: JSON.stringify(event),
  received_at: DateTime.formatIso(now),
  ...(event._tag === "Receipt" ? receiptColumns : textColumns(event))
})

/**
 * Stores events, and queues them. A text with a known key is a repeat, and is not stored. Keys are inserted in their
 * order: concurrent transactions wait for each other. One statement is one transaction.
 */
const storeStatement = /* sql */ `
WITH given AS MATERIALIZED (
  SELECT CASE WHEN g.number IS NULL THEN '${noOrganization}'::uuid ELSE n.organization_id END AS organization_id,
    g.id, g.channel, g.event, g.received_at, g.number, g.part_of, g.repeat_key
  FROM json_to_recordset($1::json) AS g(id uuid, channel text, event text, received_at timestamptz, number text,
      part_of text, repeat_key text)
    LEFT JOIN LATERAL (
      SELECT organization_id FROM numbers AS n WHERE n.number = g.number AND g.channel = ANY (n.channels) LIMIT 1
    ) AS n ON true
), owned AS (
  SELECT * FROM given WHERE organization_id IS NOT NULL
), keyed AS (
  SELECT DISTINCT ON (channel, repeat_key) * FROM owned WHERE repeat_key IS NOT NULL ORDER BY channel, repeat_key, id
), fresh AS (
  INSERT INTO provider_messages AS p (channel, provider_message_id, organization_id, message_id, recipient)
  SELECT channel, repeat_key, organization_id, id, number FROM keyed ORDER BY channel, repeat_key
  ON CONFLICT (channel, provider_message_id) DO UPDATE SET message_id = excluded.message_id, created_at = now()
    WHERE p.created_at < now() - interval '${partRepeatTime}'
      AND starts_with(p.provider_message_id, 'part ')
  RETURNING message_id
), stored AS (
  INSERT INTO provider_events (organization_id, id, event, part_of, received_at)
  SELECT organization_id, id, event::json, part_of, received_at FROM owned
  WHERE repeat_key IS NULL OR id IN (SELECT message_id FROM fresh)
  RETURNING organization_id, id
), queued AS (
  INSERT INTO provider_event_queue (organization_id, id, ready_at) SELECT organization_id, id, now() FROM stored RETURNING 1
)
SELECT (SELECT count(*)::int FROM given WHERE organization_id IS NULL) AS unowned,
  (SELECT ${notify(queueTables.provider_event)} WHERE EXISTS (SELECT 1 FROM queued)) AS notified`

/** Receives events of providers in the table `provider_events`. */
export const ProviderEventsSql = Layer.scoped(
  ProviderEvents,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const store = Effect.fnUntraced(function* (events: ReadonlyArray<ProviderEvent>) {
      const now = yield* DateTime.now
      const rows = JSON.stringify(events.map((event) => eventRow(event, now)))
      const [stored] = yield* sql
        .unsafe<{ readonly unowned: number }>(storeStatement, [rows])
        .pipe(retryConflicts, orUnavailable)
      if (stored !== undefined && stored.unowned > 0) yield* Metric.incrementBy(unownedTotal, stored.unowned)
      return events.map(() => Effect.void)
    })
    const callers = yield* Effect.makeSemaphore(maxCallers)
    const receive = yield* groupCommit<ProviderEvent, void, never>(store, { maxBatch })
    return { receive: (event) => callers.withPermits(1)(receive(event)) }
  })
)
