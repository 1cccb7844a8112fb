import type { SqlClient } from "@effect/sql"
import type { DateRange } from "@switchboard/domain/analytics/DateRange"
import { domainRollup } from "@switchboard/domain/analytics/DomainRollup"
import {
  type EventMessage,
  type FoldedEvent,
  fold,
  type Place,
  type Rollup,
  sumByKey
} from "@switchboard/domain/analytics/Rollup"
import type { EventType } from "@switchboard/domain/events/EventType"
import type { Channel, ConversationId, Message } from "@switchboard/domain/messages/Message"
import type { MessageStatus } from "@switchboard/domain/messages/state/MessageStatus"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { ParticipantId } from "@switchboard/domain/participants/Participant"
import { countryOfPhone } from "@switchboard/services/participants/ParticipantRepo"
import { DateTime, Effect } from "effect"
import { firstIdAt } from "../FirstIdAt.js"

/** A row of `foldedEvents`. */
export interface FoldedEventRow {
  readonly organization_id: OrganizationId
  readonly type: EventType
  readonly created_at: Date
  readonly status_before: MessageStatus | null
  readonly is_first: boolean
  /** Null if the event describes no message. */
  readonly channel: Channel | null
  readonly direction: Message["direction"]
  readonly cost: string
  readonly message_created_at: Date
  readonly conversation_id: ConversationId | null
  readonly from_participant_id: ParticipantId
  readonly domain: string | null
  readonly sent_at: Date | null
  readonly to_participant_ids: ReadonlyArray<ParticipantId>
  readonly was_sent: boolean | null
  readonly last_status: MessageStatus | null
  readonly responses: number
  readonly response_ms: number
  readonly places: ReadonlyArray<RecipientPlace> | null
}

/** The place of a recipient. Without a country, that of its first phone number counts. */
interface RecipientPlace {
  readonly country: string | null
  readonly region: string | null
  readonly phone: string | null
}

const facts = "channel, direction, cost, created_at, conversation_id, from_participant_id, to_participant_ids"

/**
 * SQL: the domain of a mail's sender, except of tests. The service makes Message-IDs with it; a program that submits mail
 * makes its own. The content is long, and is read for submitted mail only.
 */
const senderDomain = `CASE WHEN channel = 'email' AND direction = 'outbound' AND NOT is_test THEN lower(rtrim(split_part(
      CASE WHEN addressing ->> 'submitted' IS NULL THEN addressing ->> 'messageId' ELSE content ->> 'from' END, '@', -1
    ), '>')) END`

/** SQL: the types of the events that have the domain. */
const domainTypes = domainRollup.types.map((type) => `'${type}'`).join(", ")

/**
 * SQL: the columns of a `FoldedEventRow` of `events` (organization_id, id, type, subject_id, data, created_at), and the
 * columns `others` of it; places on the condition `readsPlaces`. Messages are found by primary key, deleted ones in
 * `deleted_messages`. The inbound messages of a conversation since its last outbound one are replied to by the next
 * outbound one.
 */
export const foldedEvents = (events: string, others: string, readsPlaces: string) => /* sql */ `
SELECT ${others}, e.organization_id, e.type, e.created_at, e.data ->> 'before' AS status_before,
  coalesce((e.data ->> 'isFirst')::boolean, false) AS is_first, m.channel, m.direction,
  m.cost, m.created_at AS message_created_at, m.conversation_id, m.from_participant_id, m.to_participant_ids, m.last_status,
  CASE WHEN e.type IN (${domainTypes}) THEN m.domain END AS domain,
  CASE WHEN e.type IN ('message.bounced', 'message.complained') THEN (
    SELECT sent_at FROM message_states WHERE organization_id = e.organization_id AND message_id = e.subject_id
  ) END AS sent_at,
  CASE WHEN e.type = 'message.bounced' THEN coalesce(m.was_sent, (
    SELECT sent_at IS NOT NULL FROM message_states WHERE organization_id = e.organization_id AND message_id = e.subject_id
  )) END AS was_sent,
  coalesce(a.responses, 0)::int AS responses, coalesce(a.response_ms, 0)::float8 AS response_ms,
  CASE WHEN e.type = 'message.created' AND ${readsPlaces} THEN (
    SELECT json_agg(json_build_object('country', p.country, 'region', p.region, 'phone', (
      SELECT address FROM participant_addresses
      WHERE p.country IS NULL AND organization_id = e.organization_id AND participant_id = r.id
        AND kind IN ('phone', 'whatsapp') ORDER BY kind, address LIMIT 1
    ))) FROM unnest(m.to_participant_ids) AS r(id) LEFT JOIN LATERAL (
      SELECT country, region FROM participants WHERE organization_id = e.organization_id AND id = r.id OFFSET 0
    ) AS p ON true
  ) END AS places
FROM ${events}
  LEFT JOIN LATERAL (
    SELECT ${facts}, NULL AS last_status, NULL::boolean AS was_sent, ${senderDomain} AS domain FROM messages
    WHERE organization_id = e.organization_id AND id = e.subject_id
    UNION ALL SELECT ${facts}, last_status, was_sent, NULL FROM deleted_messages
    WHERE organization_id = e.organization_id AND id = e.subject_id LIMIT 1
  ) AS m ON true
  LEFT JOIN LATERAL (
    SELECT count(*) AS responses, sum(floor(extract(epoch FROM m.created_at - i.created_at) * 1000)) AS response_ms
    FROM messages AS i
    WHERE i.organization_id = e.organization_id AND i.conversation_id = m.conversation_id AND i.direction = 'inbound'
      AND i.id < e.subject_id AND i.id > coalesce((
        SELECT o.id FROM messages AS o WHERE o.organization_id = e.organization_id
          AND o.conversation_id = m.conversation_id AND o.direction = 'outbound' AND o.id < e.subject_id
        ORDER BY o.id DESC LIMIT 1
      ), '00000000-0000-0000-0000-000000000000')
  ) AS a ON e.type = 'message.created' AND m.conversation_id IS NOT NULL`

const placeOf = ({ country, phone, region }: RecipientPlace): Place => ({
  country: country ?? (phone === null ? null : countryOfPhone(phone)) ?? "",
  region: region ?? ""
})

const messageFromRow = (row: FoldedEventRow): EventMessage | null =>
  row.channel === null
    ? null
    : {
        channel: row.channel,
        direction: row.direction,
        cost: row.cost,
        createdAt: row.message_created_at.getTime(),
        conversationId: row.conversation_id,
        fromParticipantId: row.from_participant_id,
        domain: row.domain,
        sentAt: row.sent_at?.getTime() ?? null,
        toParticipantIds: row.to_participant_ids,
        wasSent: row.was_sent ?? false,
        lastStatus: row.last_status,
        responses: row.responses,
        responseMillis: row.response_ms,
        places: (row.places ?? []).map(placeOf)
      }

/** Decodes an event. */
export const foldedEventFromRow = (row: FoldedEventRow): FoldedEvent => ({
  organizationId: row.organization_id,
  type: row.type,
  at: row.created_at.getTime(),
  statusBefore: row.status_before,
  isFirst: row.is_first,
  message: messageFromRow(row)
})

/** Events that one statement of `foldRange` reads. */
const page = 5_000

/**
 * Margins for finding events by id: an event's id is created at or after the time of the event (later while the
 * database is unreachable), and a clock correction can put it before.
 */
const idsBefore = "1 minute"
const idsAfter = "15 minutes"

const rangeStatement = foldedEvents(
  /* sql */ `(
    SELECT * FROM events WHERE organization_id = $1 AND id > $2 AND id < $3 AND created_at >= $4::timestamptz
      AND created_at < $5::timestamptz AND type = ANY ($6) ORDER BY id LIMIT ${page}
  ) AS e`,
  "e.id",
  "$7"
)

interface RangeRow extends FoldedEventRow {
  readonly id: string
}

/** What the events of a range contribute to a rollup: for the parts of a range that its rows do not cover completely. */
export const foldRange = Effect.fnUntraced(function* <Row>(
  sql: SqlClient.SqlClient,
  rollup: Rollup<Row>,
  organization: OrganizationId,
  { end, start }: DateRange
) {
  const until = firstIdAt(DateTime.addDuration(end, idsAfter))
  const times = [DateTime.formatIso(start), DateTime.formatIso(end), rollup.types, rollup.readsPlaces ?? false]
  let rows: ReadonlyArray<Row> = []
  let after: string | undefined = firstIdAt(DateTime.subtractDuration(start, idsBefore))
  while (after !== undefined) {
    const events: ReadonlyArray<RangeRow> = yield* sql.unsafe<RangeRow>(rangeStatement, [
      organization,
      after,
      until,
      ...times
    ])
    rows = sumByKey(rollup, [...rows, ...fold(rollup, events.map(foldedEventFromRow))])
    after = events.length < page ? undefined : events.at(-1)?.id
  }
  return rows
})
