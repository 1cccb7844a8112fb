import type { SqlClient } from "@effect/sql"
import type { SentIds } from "@switchboard/services/messages/delivery/DeliveryQueue"
import { Effect } from "effect"
import type { MessageKey } from "../messages/StateRows.js"

/** What an attempt sent over a channel. */
interface Sent extends MessageKey {
  readonly channel: string
  readonly sent: ReadonlyArray<SentIds>
}

/** Providers reuse ids after a while: the newest message has the id. */
const storeStatement = /* sql */ `
INSERT INTO provider_messages (channel, provider_message_id, organization_id, message_id, recipient)
SELECT DISTINCT ON (channel, provider_message_id) channel, provider_message_id, organization_id, message_id, recipient
FROM json_to_recordset($1::json) AS s(channel text, provider_message_id text, organization_id uuid, message_id uuid,
  recipient text)
ORDER BY channel, provider_message_id
ON CONFLICT (channel, provider_message_id) DO UPDATE SET organization_id = EXCLUDED.organization_id,
  message_id = EXCLUDED.message_id, recipient = EXCLUDED.recipient, is_delivered = false, created_at = now()`

/** Stores the provider's ids of sent texts, by which receipts find them. */
export const storeProviderIds = (sql: SqlClient.SqlClient, messages: ReadonlyArray<Sent>) => {
  const rows = messages.flatMap(({ channel, messageId, organizationId, sent }) =>
    sent.flatMap(({ providerMessageIds, recipient }) =>
      providerMessageIds.map((id) => ({
        channel,
        provider_message_id: id,
        organization_id: organizationId,
        message_id: messageId,
        recipient
      }))
    )
  )
  return rows.length === 0 ? Effect.void : Effect.asVoid(sql.unsafe(storeStatement, [JSON.stringify(rows)]))
}
