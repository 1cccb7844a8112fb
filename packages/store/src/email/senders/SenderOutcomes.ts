import type { SqlClient } from "@effect/sql"
import { addressKey, type EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { SenderOutcomes } from "@switchboard/domain/email/senders/EmailSender"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Effect } from "effect"

const statement = /* sql */ `
SELECT a.address, sum(sent)::float8 AS sent, sum(bounced)::float8 AS bounced,
  sum(complained)::float8 AS complained
FROM unnest($2::text[]) AS a(address)
  JOIN participant_addresses AS p ON p.organization_id = $1 AND p.kind = 'email' AND p.address = a.address
  JOIN rollup_senders AS o ON o.organization_id = $1 AND o.sender_id = p.participant_id
    AND o.day >= ($3::timestamptz AT TIME ZONE 'UTC')::date
GROUP BY a.address`

/** Counts of sent, bounced and complained messages by sender address, of messages accepted since the start of a day in UTC. */
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
          DateTime.formatIso(since)
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
