import type { SqlClient } from "@effect/sql"
import type { Fragment } from "@effect/sql/Statement"
import type { Channel } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { MessageFilter } from "@switchboard/services/messages/MessageRepo"
import { mergeStatement } from "../database/MergeChanges.js"

/** Merges the newest changes into the totals. */
export const mergeTotalsStatement = mergeStatement({
  table: "message_totals",
  changes: "message_total_changes",
  key: ["organization_id", "kind"],
  sums: ["messages"]
})

/** Channels other than `email`, whose messages are not counted: they are the rest. */
const countedChannels: ReadonlyArray<Channel> = ["sms", "whatsapp", "voice"]

/** SQL: the stored number of an organization's messages that match one filter; undefined if it is not stored. */
export const storedTotal = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  { channel, status, ...others }: Omit<MessageFilter, "startDate" | "endDate">
): Fragment | undefined => {
  const ofKinds = (kinds: ReadonlyArray<string>) => sql`(
    SELECT coalesce(sum(messages), 0) FROM (
      SELECT kind, messages FROM message_totals WHERE organization_id = ${organization}
      UNION ALL SELECT kind, messages FROM message_total_changes WHERE organization_id = ${organization}
    ) AS t WHERE kind = ANY (${kinds}::text[]))`
  const kept = sql`coalesce((SELECT messages_kept FROM organization_usage WHERE organization_id = ${organization}), 0)`

  if (Object.values(others).some((value) => value !== undefined)) return undefined
  if (status === undefined) {
    if (channel === undefined) return kept
    return channel === "email" ? sql`${kept} - ${ofKinds(countedChannels)}` : ofKinds([channel])
  }
  // Both are open.
  if (channel !== undefined || status === "pending" || status === "processing") return undefined
  return ofKinds([status])
}
