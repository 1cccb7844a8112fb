import { addressKindOf } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { AddressKind, ParticipantType } from "@switchboard/domain/participants/Participant"
import type { SendingChannel } from "@switchboard/services/messages/delivery/DeliveryQueue"
import type { NewMessage } from "@switchboard/services/messages/MessageRepo"
import { newUuid } from "@switchboard/services/NewId"
import { DateTime } from "effect"
import { channelQueues } from "../../queues/QueueTables.js"
import { factColumns, factRecord, factRecordColumns } from "../MessageRows.js"
import { type EventRecord, eventColumns, messageEvent, newStateColumns, newStateRecord } from "../StateRows.js"

/**
 * The CTEs of the accept statement that find the participants of all addresses, and create the missing ones that an
 * accepted send names. An address that another transaction created since the snapshot violates the primary key and
 * aborts the statement. `resolved.ids` has the participant of address n at index n.
 */
export const participantsPart = (candidates: string) => /* sql */ `
candidates AS MATERIALIZED (
  SELECT w.n, w.organization_id, w.kind, w.address, w.created_at, COALESCE(a.participant_id, w.id) AS id,
    COALESCE(p.name, w.name) AS name, p.display_name, COALESCE(p.type, w.type) AS type,
    a.participant_id IS NULL AND w.sends && (SELECT array_agg(ord) FROM accepted) AS missing
  FROM json_to_recordset(${candidates}::json) AS w(n int, organization_id uuid, kind text, address text, id uuid, name text, type text,
      sends int[], created_at timestamptz)
    LEFT JOIN LATERAL (
      SELECT a.participant_id FROM participant_addresses AS a
      WHERE a.organization_id = w.organization_id AND a.kind = w.kind AND a.address = w.address LIMIT 1
    ) AS a ON true
    LEFT JOIN LATERAL (
      SELECT p.name, p.display_name, p.type FROM participants AS p
      WHERE p.organization_id = w.organization_id AND p.id = a.participant_id LIMIT 1
    ) AS p ON true
), addresses AS (
  INSERT INTO participant_addresses (organization_id, kind, address, participant_id)
  SELECT organization_id, kind, address, id FROM candidates
  WHERE missing AND (SELECT count(*) FROM remembered) IS NOT NULL ORDER BY organization_id, kind, address
  RETURNING 1
), people AS (
  INSERT INTO participants (organization_id, id, name, type, is_named, created_at, updated_at)
  SELECT organization_id, id, name, type, lower(name) <> address, created_at, created_at FROM candidates
  WHERE missing AND (SELECT count(*) FROM addresses) IS NOT NULL
  RETURNING organization_id
), resolved AS MATERIALIZED (
  SELECT array_agg(id ORDER BY n) AS ids FROM candidates WHERE (SELECT count(*) FROM people) IS NOT NULL
)`

interface Candidate {
  /** The position of the address, from 1, by which messages refer to it. */
  readonly n: number
  readonly organization_id: OrganizationId
  readonly kind: AddressKind
  readonly address: string
  readonly id: string
  readonly name: string
  readonly type: ParticipantType
  /** The positions of the sends that name it. */
  readonly sends: Array<number>
  readonly created_at: NewMessage["facts"]["createdAt"]
}

/** The positions of a send's addresses in `candidates`. */
interface Addressed {
  readonly sender: number
  readonly recipients: ReadonlyArray<number>
}

/** The input of `participantsPart`, and the positions of each send's addresses in it. */
export const participantRecords = (batch: ReadonlyArray<NewMessage>) => {
  const candidates = new Map<string, Candidate>()
  const positionOf = (
    { facts }: NewMessage,
    ord: number,
    given: string,
    name: string,
    type: ParticipantType
  ): number => {
    const kind = addressKindOf[facts.channel]
    const address = given.toLowerCase()
    const key = `${facts.organizationId} ${kind} ${address}`
    const known = candidates.get(key)
    if (known !== undefined) {
      if (known.sends.at(-1) !== ord) known.sends.push(ord)
      return known.n
    }
    const n = candidates.size + 1
    candidates.set(key, {
      n,
      organization_id: facts.organizationId,
      kind,
      address,
      id: newUuid(DateTime.toEpochMillis(facts.createdAt)),
      name,
      type,
      sends: [ord],
      created_at: facts.createdAt
    })
    return n
  }
  const addressed = batch.map((message, ord): Addressed => {
    const { recipients, sender } = message
    return {
      sender: positionOf(message, ord, sender.address, sender.name ?? sender.address, "sender"),
      recipients: recipients.map((recipient) => positionOf(message, ord, recipient, recipient, "contact"))
    }
  })
  return { candidates: [...candidates.values()], addressed }
}

/** The CTEs that queue the messages of a channel. A message that failed at acceptance is not queued. */
const queuedPart = (channel: SendingChannel) => {
  const { name } = channelQueues[channel]
  return /* sql */ `ready_${channel} AS (
  INSERT INTO ${name}_queue (organization_id, id, message_id, ready_at, due_since, lane)
  SELECT organization_id, queue_message_id, id, now(), created_at, lane
  FROM new_messages WHERE channel = '${channel}' AND scheduled_at IS NULL AND failed_at IS NULL
  RETURNING organization_id
), waiting_${channel} AS (
  INSERT INTO ${name}_waiting (organization_id, id, message_id, due_at, due_since, lane)
  SELECT organization_id, queue_message_id, id, scheduled_at, scheduled_at, lane
  FROM new_messages WHERE channel = '${channel}' AND scheduled_at IS NOT NULL AND failed_at IS NULL
  RETURNING 1
)`
}

/**
 * The CTEs of the accept statement that store accepted messages of channels. No other transaction has these ids yet, so no lock
 * wait is possible. `written` depends on all of them.
 */
export const messagesPart = (messages: string, events: string, channels: ReadonlyArray<SendingChannel>) => /* sql */ `
new_messages AS MATERIALIZED (
  SELECT g.*, resolved.ids[g.sender] AS from_participant_id, ARRAY(
    SELECT resolved.ids[r.n] FROM unnest(g.recipients) WITH ORDINALITY AS r(n, place) GROUP BY 1 ORDER BY min(r.place)
  ) AS to_participant_ids
  FROM json_to_recordset(${messages}::json) AS g(sender int, recipients int[], lane int, ${factRecordColumns},
    ${newStateColumns})
  CROSS JOIN resolved WHERE g.id IN (SELECT id FROM accepted)
), stored AS (
  INSERT INTO messages (from_participant_id, to_participant_ids, ${factColumns})
  SELECT from_participant_id, to_participant_ids, ${factColumns} FROM new_messages
  RETURNING organization_id, channel, is_test
), states AS (
  INSERT INTO message_states (organization_id, message_id, status, status_history, deliveries, retry_count,
    max_retries, delivery_attempts, failed_at, last_error, error_details, updated_at)
  SELECT organization_id, id, status, status_history, deliveries, retry_count, state_max_retries, delivery_attempts,
    failed_at, last_error, error_details, updated_at FROM new_messages
  RETURNING 1
), links AS (
  INSERT INTO message_participants (organization_id, participant_id, message_id, thread_id)
  SELECT DISTINCT g.organization_id, p.id, g.id, g.thread_id
  FROM new_messages AS g CROSS JOIN LATERAL unnest(g.from_participant_id || g.to_participant_ids) AS p(id)
  RETURNING 1
), tagged AS (
  INSERT INTO message_tags (organization_id, tag, message_id)
  SELECT DISTINCT g.organization_id, tag, g.id FROM new_messages AS g CROSS JOIN LATERAL unnest(g.tags) AS tag
  RETURNING 1
), ${channels.map(queuedPart).join(", ")}, written_events AS (
  INSERT INTO events (organization_id, id, type, subject_id, data, created_at)
  SELECT organization_id, id, type, subject_id, data, created_at
  FROM json_to_recordset(${events}::json) AS e(${eventColumns}) WHERE subject_id IN (SELECT id FROM accepted)
  RETURNING 1
), written AS MATERIALIZED (
  SELECT (SELECT count(*) FROM states) + (SELECT count(*) FROM links) + (SELECT count(*) FROM tagged)
    ${channels.map((channel) => `+ (SELECT count(*) FROM ready_${channel}) + (SELECT count(*) FROM waiting_${channel})`).join(" ")}
    + (SELECT count(*) FROM written_events) + (SELECT count(*) FROM attached) AS rows
)`

/** The CTE that stores attachments. Their contents are a separate parameter because JSON cannot hold binary data. */
export const attachmentsPart = (attachments: string, contents: string) => /* sql */ `
attached AS (
  INSERT INTO message_attachments (organization_id, message_id, position, filename, content_type, content_id, content)
  SELECT organization_id, message_id, position, filename, content_type, content_id, content
  FROM ROWS FROM (
    json_to_recordset(${attachments}::json) AS (organization_id uuid, message_id uuid, position int, filename text,
      content_type text, content_id text),
    unnest(${contents}::bytea[])
  ) AS a(organization_id, message_id, position, filename, content_type, content_id, content)
  WHERE message_id IN (SELECT id FROM accepted)
  RETURNING 1
)`

/** The input of `messagesPart` for a message. */
export const messageRecord = (message: NewMessage, { recipients, sender }: Addressed) => ({
  sender,
  recipients,
  lane: message.isBulk ? 1 : 0,
  ...factRecord(message),
  ...newStateRecord(message.state)
})

/**
 * The input of `messagesPart` for a message's events: `message.created`, and those of its statuses. The status `pending`
 * has no event.
 */
export const acceptEvents = ({ facts, state }: NewMessage): ReadonlyArray<EventRecord> => [
  messageEvent(facts.organizationId, facts.id, "message.created", {
    timestamp: DateTime.formatIso(facts.createdAt)
  }),
  ...state.statusHistory.flatMap((entry, index) =>
    entry.status === "pending"
      ? []
      : [
          messageEvent(facts.organizationId, facts.id, `message.${entry.status}`, {
            ...entry,
            before: state.statusHistory[index - 1]?.status
          })
        ]
  )
]

/** The input of `attachmentsPart` for a message, without the contents. */
export const attachmentRecords = ({ attachments, facts }: NewMessage) =>
  attachments.map(({ contentId, contentType, filename }, position) => ({
    organization_id: facts.organizationId,
    message_id: facts.id,
    position,
    filename,
    content_type: contentType,
    content_id: contentId
  }))
