import { randomInt } from "node:crypto"
import { SqlClient } from "@effect/sql"
import { DeliveryOutcome } from "@switchboard/domain/messages/delivery/DeliveryOutcome"
import type { ConversationId, MessageId } from "@switchboard/domain/messages/Message"
import { accepted, settled, taken } from "@switchboard/domain/messages/state/MessageLifecycle"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import type { ProviderEvent, Receipt, ReceivedText } from "@switchboard/services/providers/ProviderEvent"
import { ProviderEvents } from "@switchboard/services/providers/ProviderEvents"
import { storeProviderIds } from "@switchboard/store/providers/ProviderIds"
import { DateTime, Effect, Option } from "effect"
import { v7 } from "uuid"
import { makeOrganization, newMessage } from "../messages/Fixtures.js"

/** A phone number that no other test has. */
export const newPhone = () => `+4930${randomInt(1e9, 1e10 - 1)}`

/** Adds a number to an organization. */
export const makeNumber = (organizationId: OrganizationId, channels: ReadonlyArray<string> = ["sms"]) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const number = newPhone()
    yield* sql`INSERT INTO numbers (number, organization_id, channels, created_at)
      VALUES (${number}, ${organizationId}, ${channels}, now())`
    return number
  })

/** An organization with a number, and an empty queue: the tests of a worker share a database. */
export const makeOwner = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`TRUNCATE provider_events, provider_event_queue, provider_event_waiting`
  const organization = yield* makeOrganization()
  return { organization, number: yield* makeNumber(organization) }
})

interface Sent {
  readonly from: string
  readonly to: ReadonlyArray<string>
  readonly segments?: number
  /** False: its outcome is not stored yet. */
  readonly isSettled?: boolean
  readonly conversationId?: ConversationId
}

/** The provider's id of a segment. */
export const segmentId = (message: MessageId, recipient: string, segment: number) =>
  `${message} ${recipient} ${segment}`

/** Stores that the provider accepted a message for all recipients. */
export const settleText = (
  organizationId: OrganizationId,
  messageId: MessageId,
  to: ReadonlyArray<string>,
  segments = 1
) =>
  Effect.gen(function* () {
    const repo = yield* MessageRepo
    const sql = yield* SqlClient.SqlClient
    const now = yield* DateTime.now
    const outcome = DeliveryOutcome.Replied({
      replies: to.map((recipient) => ({ recipient, verdict: "accepted" })),
      response: null,
      providerMessageId: null,
      retryAt: null
    })
    yield* repo.change(organizationId, messageId, (state) =>
      Effect.succeed(settled(taken(state, false, now), outcome, "dsn", now))
    )
    const sent = to.map((recipient) => ({
      recipient,
      providerMessageIds: Array.from({ length: segments }, (_, at) => segmentId(messageId, recipient, at + 1))
    }))
    yield* storeProviderIds(sql, [{ organizationId, messageId, channel: "sms", sent }])
  })

/** Stores a text message that was sent. */
export const sendText = (
  organizationId: OrganizationId,
  { conversationId, from, isSettled = true, segments = 1, to }: Sent
) =>
  Effect.gen(function* () {
    const repo = yield* MessageRepo
    const mail = yield* newMessage(organizationId)
    const { message } = yield* repo.accept({
      ...mail,
      facts: {
        ...mail.facts,
        conversationId: conversationId ?? null,
        channel: "sms",
        content: { text: "Hello", from, encoding: "gsm7", segments }
      },
      state: accepted(to, 8, false, mail.facts.createdAt),
      addressing: { to },
      sender: { address: from },
      recipients: to
    })
    if (isSettled) yield* settleText(organizationId, message.id, to, segments)
    return message.id
  })

/** A receipt of a segment. */
export const receiptOf = (
  message: MessageId,
  recipient: string,
  status: Receipt["status"] = "delivered",
  segment = 1
): Receipt => ({
  _tag: "Receipt",
  channel: "sms",
  providerMessageIds: [segmentId(message, recipient, segment), "other"],
  phone: recipient,
  status,
  ...(status === "failed" ? { errorCode: "UNDELIV 005", response: "stat:UNDELIV" } : {}),
  at: "2026-01-01T00:00:00.000Z"
})

/** A received text. */
export const textFrom = (from: string, to: string, changes: Partial<ReceivedText> = {}): ReceivedText => ({
  _tag: "ReceivedText",
  channel: "sms",
  from,
  to,
  text: `Hi ${v7()}`,
  providerMessageId: null,
  part: null,
  at: "2026-01-01T00:00:00.000Z",
  ...changes
})

/** The parts of a concatenated text. */
export const partsOf = (from: string, to: string, texts: ReadonlyArray<string>, reference = 7) =>
  texts.map((text, at) => textFrom(from, to, { text, part: { reference, number: at + 1, total: texts.length } }))

/** Stores events, one after another. */
export const receive = (...events: ReadonlyArray<ProviderEvent>) =>
  Effect.flatMap(ProviderEvents, (port) => Effect.forEach(events, port.receive, { discard: true }))

/** The status of a message, followed by those of its recipients. */
export const statusesOf = (organization: OrganizationId, id: MessageId) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ readonly statuses: string }>`SELECT concat_ws(' ', status, (
        SELECT string_agg(one ->> 'status', ' ' ORDER BY place)
        FROM json_array_elements(deliveries) WITH ORDINALITY AS d(one, place)
      )) AS statuses
      FROM message_states WHERE organization_id = ${organization} AND message_id = ${id}`
  ).pipe(Effect.map(([row]) => row?.statuses))

/** A received message, as a test compares it. */
export interface ReceivedRow {
  readonly id: MessageId
  readonly text: string
  readonly parent: MessageId | null
  readonly conversation: ConversationId
}

/** The received messages of an organization, oldest first. */
export const receivedBy = (organization: OrganizationId) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<ReceivedRow>`SELECT id, content ->> 'text' AS text, parent_message_id AS parent,
        conversation_id AS conversation
      FROM messages WHERE organization_id = ${organization} AND direction = 'inbound' ORDER BY id`
  )

/** The numbers of stored events and queue entries. */
export const leftOver = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ readonly events: number; readonly ready: number; readonly waiting: number }>`SELECT
    (SELECT count(*)::int FROM provider_events) AS events,
    (SELECT count(*)::int FROM provider_event_queue) AS ready,
    (SELECT count(*)::int FROM provider_event_waiting) AS waiting`
).pipe(Effect.map(([row]) => Option.getOrThrow(Option.fromNullable(row))))
