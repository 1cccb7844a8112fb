import { ceilTo, dayMillis, quarterMillis } from "@switchboard/domain/analytics/DateRange"
import { type DomainRow, domainRollup } from "@switchboard/domain/analytics/DomainRollup"
import { type MessageRow, messageRollup } from "@switchboard/domain/analytics/MessageRollup"
import { type ParticipantRow, participantRollup } from "@switchboard/domain/analytics/ParticipantRollup"
import { type PlaceRow, placeRollup } from "@switchboard/domain/analytics/PlaceRollup"
import { type SenderRow, senderRollup } from "@switchboard/domain/analytics/SenderRollup"
import { type TotalRow, totalRollup } from "@switchboard/domain/analytics/TotalRollup"
import { BigDecimal, DateTime } from "effect"
import { monthAfter } from "../analytics/SplitRange.js"
import { mergedArrays, type RollupTable } from "./RollupTable.js"

/** The counts of messages. */
export const messageRollupTable: RollupTable<MessageRow> = {
  rollup: messageRollup,
  name: "rollup_messages",
  key: { organization_id: "uuid", quarter: "timestamptz", channel: "text" },
  sums: {
    accepted: "integer",
    sent: "integer",
    delivered: "integer",
    read: "integer",
    clicked: "integer",
    failed: "integer",
    bounced: "integer",
    refused: "integer",
    complained: "integer",
    received: "integer",
    cost: "numeric",
    responses: "integer",
    response_ms: "bigint"
  },
  others: {
    types: { latency_buckets: "smallint[]", latency_messages: "integer[]" },
    merged: mergedArrays("latency_buckets", "latency_messages")
  },
  record: ({ channel, cost, latencies, organizationId, quarter, responseMillis, ...counts }) => ({
    organization_id: organizationId,
    quarter: DateTime.formatIso(DateTime.unsafeMake(quarter)),
    channel,
    ...counts,
    cost: BigDecimal.format(cost),
    response_ms: responseMillis,
    latency_buckets: Object.keys(latencies),
    latency_messages: Object.values(latencies)
  }),
  time: { column: "quarter", after: (at) => ceilTo(quarterMillis, at), of: ({ quarter }) => quarter }
}

/** The outcomes of senders' messages. */
export const senderRollupTable: RollupTable<SenderRow> = {
  rollup: senderRollup,
  name: "rollup_senders",
  key: { organization_id: "uuid", sender_id: "uuid", day: "date" },
  sums: { sent: "integer", bounced: "integer", complained: "integer" },
  record: ({ bounced, complained, day, organizationId, senderId, sent }) => ({
    organization_id: organizationId,
    sender_id: senderId,
    day: DateTime.formatIsoDateUtc(DateTime.unsafeMake(day)),
    sent,
    bounced,
    complained
  }),
  time: { column: "day", after: (at) => ceilTo(dayMillis, at), of: ({ day }) => day }
}

/** The outcomes of domains. They are not rebuilt: those of two days are stored. */
export const domainRollupTable: RollupTable<DomainRow> = {
  rollup: domainRollup,
  name: "rollup_domains",
  key: { organization_id: "uuid", domain: "text", quarter: "timestamptz" },
  sums: { sent: "integer", bounced: "integer", complained: "integer" },
  record: ({ bounced, complained, domain, organizationId, quarter, sent }) => ({
    organization_id: organizationId,
    domain,
    quarter: DateTime.formatIso(DateTime.unsafeMake(quarter)),
    sent,
    bounced,
    complained
  }),
  time: null
}

/** The totals of messages. They have no periods: a rebuild needs all events. */
export const totalRollupTable: RollupTable<TotalRow> = {
  rollup: totalRollup,
  name: "rollup_totals",
  key: { organization_id: "uuid", kind: "text" },
  sums: { messages: "bigint" },
  record: ({ kind, messages, organizationId }) => ({ organization_id: organizationId, kind, messages }),
  time: null
}

/** The messages of participants. */
export const participantRollupTable: RollupTable<ParticipantRow> = {
  rollup: participantRollup,
  name: "rollup_participants",
  key: { organization_id: "uuid", month: "date", participant_id: "uuid" },
  sums: { messages: "integer" },
  others: { types: { days: "smallint[]", day_messages: "integer[]" }, merged: mergedArrays("days", "day_messages") },
  record: ({ days, messages, month, organizationId, participantId }) => ({
    organization_id: organizationId,
    month: DateTime.formatIsoDateUtc(DateTime.unsafeMake(month)),
    participant_id: participantId,
    messages,
    days: Object.keys(days),
    day_messages: Object.values(days)
  }),
  time: {
    column: "month",
    after: (at) => DateTime.toEpochMillis(monthAfter(DateTime.unsafeMake(at))),
    of: ({ month }) => month
  }
}

/** The recipients by place. They are not rebuilt: the places that recipients had are stored here only. */
export const placeRollupTable: RollupTable<PlaceRow> = {
  rollup: placeRollup,
  name: "rollup_places",
  key: { organization_id: "uuid", span: "text", starts_at: "timestamptz", country: "text", region: "text" },
  sums: { recipients: "bigint" },
  record: ({ country, organizationId, recipients, region, span, startsAt }) => ({
    organization_id: organizationId,
    span,
    starts_at: DateTime.formatIso(DateTime.unsafeMake(startsAt)),
    country,
    region,
    recipients
  }),
  time: null
}
