import type { SqlClient } from "@effect/sql"
import type { Message } from "@switchboard/domain/messages/Message"
import type { WebhookDeliveryId } from "@switchboard/domain/webhooks/WebhookEndpoint"
import { encodeEvent } from "@switchboard/services/events/EncodeEvent"
import type { StoredEvent } from "@switchboard/services/events/StoredEvent"
import { readableRows } from "@switchboard/services/ReadableRows"
import { Array, Effect } from "effect"

/** A delivery whose body is not stored yet. */
export interface BodylessDelivery {
  readonly id: WebhookDeliveryId
  readonly event: StoredEvent
  /** The message that the event is about; null if there is none, or it was deleted. */
  readonly message: typeof Message.Encoded | null
}

/** A message that is deleted concurrently gets no body. */
const insertStatement = /* sql */ `
WITH bodies AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS g(organization_id uuid, delivery_id uuid, message_id uuid, body text)
), about AS MATERIALIZED (
  SELECT m.organization_id, m.id FROM messages AS m
  WHERE (m.organization_id, m.id) IN (SELECT organization_id, message_id FROM bodies)
  ORDER BY m.organization_id, m.id FOR KEY SHARE
)
INSERT INTO webhook_bodies (organization_id, delivery_id, message_id, body)
SELECT organization_id, delivery_id, message_id, body FROM bodies
WHERE message_id IS NULL OR (organization_id, message_id) IN (SELECT organization_id, id FROM about)
RETURNING delivery_id, body`

/**
 * Stores the bodies of deliveries, and returns them by delivery id. All attempts send the stored body, also after the
 * first worker is lost. None for an event of a deleted message. Requires the transaction that leases the deliveries.
 */
export const storeBodies = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  deliveries: ReadonlyArray<BodylessDelivery>
) {
  const encoded = yield* readableRows(deliveries, ({ event, id, message }) => {
    const body = encodeEvent(event, message)
    return body === null
      ? null
      : {
          organization_id: event.organizationId,
          delivery_id: id,
          message_id: message?.id ?? null,
          body: JSON.stringify(body)
        }
  })
  const rows = Array.filter(encoded, (row) => row !== null)
  const stored =
    rows.length === 0
      ? []
      : yield* sql.unsafe<{ readonly delivery_id: WebhookDeliveryId; readonly body: string }>(insertStatement, [
          JSON.stringify(rows)
        ])
  return new Map(stored.map(({ body, delivery_id }) => [delivery_id, body]))
})
