import type { SqlClient } from "@effect/sql"
import type { Fragment } from "@effect/sql/Statement"
import type { TotalKind } from "@switchboard/domain/analytics/TotalRollup"
import type { Channel } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { maxCounted } from "@switchboard/domain/Page"
import type { MessageFilter } from "@switchboard/services/messages/MessageRepo"

/** Channels other than `email`, whose messages are not counted: they are the rest. */
type CountedChannel = Exclude<Channel, "email">
const countedChannels: ReadonlyArray<CountedChannel> = ["sms", "whatsapp", "voice"]

/** SQL: the stored number of an organization's messages that match one filter; undefined if it is not stored. */
export const storedTotal = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  { channel, status, ...others }: Omit<MessageFilter, "startDate" | "endDate">
): Fragment | undefined => {
  /** Totals above `maxCounted` are those of the rollup, which can lag; others are counted. */
  const ofKind = (kind: TotalKind, matching: Fragment) => sql`(
    SELECT CASE WHEN stored > ${maxCounted} THEN stored ELSE (
      SELECT count(*) FROM (SELECT FROM ${matching} LIMIT ${maxCounted + 1}) AS counted
    ) END FROM (SELECT coalesce((
      SELECT messages FROM rollup_totals WHERE organization_id = ${organization} AND kind = ${kind}
    ), 0) AS stored) AS rollup)`
  const ofChannel = (kind: CountedChannel) =>
    ofKind(kind, sql`messages WHERE organization_id = ${organization} AND channel = ${kind}`)
  const kept = sql`coalesce((SELECT messages_kept FROM organization_usage WHERE organization_id = ${organization}), 0)`

  if (Object.values(others).some((value) => value !== undefined)) return undefined
  if (status === undefined) {
    if (channel === undefined) return kept
    return channel === "email"
      ? sql`${kept} - (${sql.join(" + ", false)(countedChannels.map(ofChannel))})`
      : ofChannel(channel)
  }
  // Both are open.
  if (channel !== undefined || status === "pending" || status === "processing") return undefined
  return ofKind(status, sql`message_states WHERE organization_id = ${organization} AND listed_status = ${status}`)
}
