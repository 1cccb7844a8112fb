import type { SqlClient } from "@effect/sql"
import type { Message } from "@switchboard/domain/messages/Message"
import type { WebhookDeliveryId } from "@switchboard/domain/webhooks/WebhookEndpoint"
import { encodeEvent } from "@switchboard/services/events/EncodeEvent"
import type { StoredEvent } from "@switchboard/services/events/StoredEvent"
import { readableRows } from "@switchboard/services/ReadableRows"
import { Array, Effect } from "effect"

/** A delivery without a body. */
export interface BodylessDelivery {
  readonly id: WebhookDeliveryId
  readonly event: StoredEvent
  /** The message that the event is about; null if there is none, or it was deleted. */
  readonly message: Message | null
}

/** A message that is deleted at the same moment gets no body. */
const insertStatement = /* sql */ `
WITH given AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS g(organization_id uuid, delivery_id uuid, message_id uuid, body text)
), about AS MATERIALIZED (
  SELECT m.organization_id, m.id FROM messages AS m
  WHERE (m.organization_id, m.id) IN (SELECT organization_id, message_id FROM given)
  ORDER BY m.organization_id, m.id FOR KEY SHARE
)
INSERT INTO webhook_bodies (organization_id, delivery_id, message_id, body)
SELECT organization_id, delivery_id, message_id, body FROM given
WHERE message_id IS NULL OR (organization_id, message_id) IN (SELECT organization_id, id FROM about)
RETURNING delivery_id, body`

/**
 * Stores what deliveries post, by their ids: the first attempt and all later ones, also where the first worker is lost.
 * None for an event whose message was deleted. To be run in the transaction that leases the deliveries.
 */
export const firstBodies = Effect.fnUntraced(function* (
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
  const given = Array.filter(encoded, (row) => row !== null)
  const stored =
    given.length === 0
      ? []
      : yield* sql.unsafe<{ readonly delivery_id: WebhookDeliveryId; readonly body: string }>(insertStatement, [
          JSON.stringify(given)
        ])
  return new Map(stored.map(({ body, delivery_id }) => [delivery_id, body]))
})
