import type { SqlClient } from "@effect/sql"
import { addressKey, type EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { SenderOutcomes } from "@switchboard/domain/email/senders/Reputation"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Effect } from "effect"

/** Reputation is computed from at most this many of a sender's latest messages, which limits the cost of a read. */
const maxMessages = 10_000

/** The first id of an instant: a UUIDv7 starts with the Unix time in milliseconds. */
const firstIdAt = (at: DateTime.Utc) => {
  const time = DateTime.toEpochMillis(at).toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}

/** Per address: one lookup of its participant, a range of the index by participant, and two lookups per message. */
const statement = /* sql */ `
SELECT a.address, count(o.status) FILTER (WHERE o.status IN ('sent', 'delivered', 'read', 'bounced', 'complained'))::int
    AS sent, count(*) FILTER (WHERE o.status = 'bounced')::int AS bounced,
  count(*) FILTER (WHERE o.status = 'complained')::int AS complained
FROM unnest($2::text[]) AS a(address)
  JOIN participant_addresses AS p ON p.organization_id = $1 AND p.kind = 'email' AND p.address = a.address
  CROSS JOIN LATERAL (
    SELECT s.status FROM (
      SELECT message_id FROM message_participants
      WHERE organization_id = $1 AND participant_id = p.participant_id AND message_id >= $3::uuid
      ORDER BY message_id DESC LIMIT ${maxMessages}
    ) AS latest
      JOIN messages AS m ON m.organization_id = $1 AND m.id = latest.message_id
        AND m.from_participant_id = p.participant_id AND m.direction = 'outbound'
      JOIN message_states AS s ON s.organization_id = $1 AND s.message_id = latest.message_id
  ) AS o
GROUP BY a.address`

/** Counts of sent, bounced and complained messages by sender address, of messages accepted since an instant. */
export const senderOutcomes = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  addresses: ReadonlyArray<EmailAddress>,
  since: DateTime.Utc
) =>
  Effect.map(
    addresses.length === 0
      ? Effect.succeed([])
      : sql.unsafe<SenderOutcomes & { readonly address: string }>(statement, [
          organization,
          addresses.map(addressKey),
          firstIdAt(since)
        ]),
    (rows): ReadonlyMap<EmailAddress, SenderOutcomes> => {
      const byKey = new Map(
        rows.map(({ address, bounced, complained, sent }) => [address, { sent, bounced, complained }])
      )
      return new Map(
        addresses.flatMap((address) => {
          const found = byKey.get(addressKey(address))
          return found === undefined ? [] : [[address, found] as const]
        })
      )
    }
  )
