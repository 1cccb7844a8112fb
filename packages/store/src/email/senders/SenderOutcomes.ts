import type { SqlClient } from "@effect/sql"
import { addressKey, type EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { SenderOutcomes } from "@switchboard/domain/email/senders/EmailSender"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Effect } from "effect"
import { mergeStatement } from "../../database/MergeChanges.js"

/** Merges the newest outcomes of messages into those of days. */
export const mergeOutcomesStatement = mergeStatement({
  table: "sender_days",
  changes: "sender_changes",
  key: ["organization_id", "sender_id", "day"],
  sums: ["sent", "bounced", "complained"]
})

const ofSender = (table: string) => `
    SELECT sent, bounced, complained FROM ${table}
    WHERE organization_id = $1 AND sender_id = p.participant_id AND day >= ($3::timestamptz AT TIME ZONE 'UTC')::date`

/** For each address, a row of each day, and the changes that are not merged yet. */
const statement = /* sql */ `
SELECT a.address, coalesce(sum(o.sent), 0)::float8 AS sent, coalesce(sum(o.bounced), 0)::float8 AS bounced,
  coalesce(sum(o.complained), 0)::float8 AS complained
FROM unnest($2::text[]) AS a(address)
  JOIN participant_addresses AS p ON p.organization_id = $1 AND p.kind = 'email' AND p.address = a.address
  CROSS JOIN LATERAL (${ofSender("sender_days")}
    UNION ALL${ofSender("sender_changes")}
  ) AS o
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
