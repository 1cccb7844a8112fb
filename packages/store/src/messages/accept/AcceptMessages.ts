import type { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { type ConflictError, type PaymentRequiredError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { Message, MessageId } from "@switchboard/domain/messages/Message"
import { planExceeded } from "@switchboard/domain/organizations/PlanLimit"
import type { MessageParticipant, ParticipantId } from "@switchboard/domain/participants/Participant"
import type { Accepted, NewMessage } from "@switchboard/services/messages/MessageRepo"
import { Duration, Effect, Metric, MetricBoundaries, Option, Predicate, Schedule } from "effect"
import { insertConversationEvents } from "../../conversations/InsertConversationEvents.js"
import { joinMessages } from "../../conversations/JoinMessages.js"
import { codeOf, isConflict, orUnavailable, retryConflicts } from "../../database/Unavailable.js"
import { joinThread, lockParent } from "../../email/threads/JoinThread.js"
import { countThreads } from "../../email/threads/ThreadCounts.js"
import { countInserted } from "../../organizations/OrganizationCounts.js"
import { assembleMessage } from "../MessageRows.js"
import { type AcceptRow, acceptParameters, acceptStatement } from "./AcceptStatement.js"
import { keyReused, type Repetition } from "./FindReplays.js"

/**
 * The tables whose constraints detect a race: an idempotency key or address that exists by now, or a NULL that the
 * statement writes on purpose.
 */
const guardTables = new Set<unknown>([
  "message_claims",
  "message_contents",
  "participant_addresses",
  "organization_usage"
])

const isLostRace = (error: SqlError): boolean =>
  /^(?:23505|23502)$/.test(codeOf(error)) &&
  Predicate.hasProperty(error.cause, "table") &&
  guardTables.has(error.cause.table)

/**
 * Retries a statement that lost a race. The other transaction has committed by then, so the next snapshot includes it.
 * Each round one transaction succeeds: many retries mean high contention, not an error.
 */
const retryLostRaces = <A, R>(self: Effect.Effect<A, SqlError, R>) =>
  self.pipe(
    Effect.retry({
      times: 10,
      schedule: Schedule.jittered(Schedule.exponential("1 millis")),
      while: (error) => isLostRace(error) || isConflict(error)
    }),
    Effect.catchIf(isLostRace, (error) =>
      Effect.zipRight(
        Effect.logWarning("A batch of sends lost too many races", error),
        new ServiceUnavailableError({
          message: "Too many concurrent sends with the same content or key",
          retryAfterSeconds: 1
        })
      )
    )
  )

type SendResult = Effect.Effect<Accepted, ConflictError | PaymentRequiredError | ServiceUnavailableError>

/** Finds the earlier message that a send repeats. */
type FindReplay = (send: Repetition) => Effect.Effect<Option.Option<Message>, ConflictError | ServiceUnavailableError>

/**
 * Each send of a batch with the first send that it repeats (its leader), itself if it repeats none. Sends with the same
 * key, or without a key the same content within the window, are one send. Only leaders are stored.
 */
const leadersOf = (batch: ReadonlyArray<NewMessage>): ReadonlyArray<NewMessage> => {
  const byKey = new Map<string, NewMessage>()
  const byContent = new Map<string, NewMessage>()
  return batch.map((message) => {
    const { idempotencyKey, contentHash, dedupeWindow } = message.identity
    const content = `${message.facts.organizationId} ${contentHash}`
    const key = idempotencyKey === null ? null : `${message.facts.organizationId} ${idempotencyKey.key}`
    const leader = key !== null ? byKey.get(key) : Duration.isZero(dedupeWindow) ? undefined : byContent.get(content)
    if (leader !== undefined) return leader
    if (key !== null) byKey.set(key, message)
    if (!byContent.has(content)) byContent.set(content, message)
    return message
  })
}

/** Messages and the row of the statement that accepted some of them. */
interface Attempted {
  readonly messages: ReadonlyArray<NewMessage>
  readonly row: AcceptRow | undefined
}

const accept = (sql: SqlClient.SqlClient, messages: ReadonlyArray<NewMessage>) =>
  Effect.map(
    sql.unsafe<AcceptRow>(acceptStatement(messages), acceptParameters(messages)),
    ([row]): Attempted => ({ messages, row })
  )

/**
 * Locks the threads of messages, so that they are not deleted. A thread whose last message was deleted since is gone:
 * its messages then have no thread.
 */
const inThreads = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, messages: ReadonlyArray<NewMessage>) {
  if (messages.every(({ facts }) => facts.threadId === null)) return messages
  const found = yield* sql<{
    id: string
  }>`SELECT t.id FROM unnest(${messages.map(({ facts }) => facts.organizationId)}::uuid[],
      ${messages.map(({ facts }) => facts.threadId)}::uuid[]) AS g(organization_id, id)
      JOIN threads AS t ON t.organization_id = g.organization_id AND t.id = g.id
    ORDER BY t.organization_id, t.id FOR KEY SHARE OF t`
  const ids = new Set(found.map(({ id }) => id))
  return messages.map((message) =>
    message.facts.threadId === null || ids.has(message.facts.threadId)
      ? message
      : { ...message, facts: { ...message.facts, threadId: null } }
  )
})

/** Accepts messages, and adds senders and recipients to the conversations of their messages in the same transaction. */
const acceptInConversations = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  leaders: ReadonlyArray<NewMessage>
) {
  const attempted = yield* accept(sql, yield* inThreads(sql, leaders))
  const accepted = new Map((attempted.row?.accepted ?? []).map((one) => [one.id, one]))
  yield* joinMessages(
    sql,
    attempted.messages.flatMap(({ facts: { channel, conversationId, id, organizationId } }) => {
      const one = accepted.get(id)
      if (one === undefined || conversationId === null) return []
      return [{ organizationId, conversationId, channel, participants: [one.from, ...one.to] }]
    })
  )
  return attempted
})

const store = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, leaders: ReadonlyArray<NewMessage>) {
  const isPlaced = leaders.some(({ facts }) => facts.conversationId !== null || facts.threadId !== null)
  const { messages, row } = yield* retryLostRaces(
    isPlaced ? sql.withTransaction(acceptInConversations(sql, leaders)) : accept(sql, leaders)
  )
  const participants = new Map(
    (row?.participants ?? []).map(({ address, kind, ...one }): [ParticipantId, MessageParticipant] => [
      one.id,
      { ...one, channelIdentities: { [kind]: [address] } }
    ])
  )
  const byId = new Map(messages.map((message) => [message.facts.id, message]))
  const stored = (row?.accepted ?? []).flatMap(({ id, ...parties }): ReadonlyArray<Message> => {
    const message = byId.get(id)
    if (message === undefined) return []
    const { addressing, facts, state } = message
    return [assembleMessage(facts, state, addressing, parties, participants)]
  })
  return {
    refused: new Map((row?.refused ?? []).map(({ id, ...over }) => [id, over])),
    stored: new Map(stored.map((message) => [message.id, message]))
  }
})

/** In seconds. */
const boundaries = MetricBoundaries.fromIterable([0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5])

const acceptSeconds = Metric.histogram(
  "switchboard_accept_duration_seconds",
  boundaries,
  "Seconds of a transaction that stores the messages of concurrent requests"
)

const acceptBatch = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  findReplay: FindReplay,
  batch: ReadonlyArray<NewMessage>
) {
  const leaders = leadersOf(batch)
  const { refused, stored } = yield* Metric.trackDurationWith(
    store(sql, [...new Set(leaders)]),
    acceptSeconds,
    Duration.toSeconds
  )

  const resultOf = (message: NewMessage, leader: NewMessage): SendResult => {
    const over = refused.get(leader.facts.id)
    if (over !== undefined) return planExceeded(over.plan, over.used)
    const accepted = stored.get(leader.facts.id)
    if (accepted !== undefined) {
      if (leader === message) return Effect.succeed({ message: accepted, replayed: false })
      return leader.identity.idempotencyKey?.fingerprint === message.identity.idempotencyKey?.fingerprint ||
        message.identity.idempotencyKey === null
        ? Effect.succeed({ message: accepted, replayed: true })
        : keyReused
    }
    return Effect.flatMap(
      findReplay({ organization: message.facts.organizationId, identity: message.identity }),
      (found) =>
        Option.match(found, {
          onSome: (original) => Effect.succeed({ message: original, replayed: true }),
          // The message existed when its key was refused, and was deleted since: the caller's retry succeeds.
          onNone: () =>
            new ServiceUnavailableError({
              message: "The earlier message was deleted during this request; repeat it",
              retryAfterSeconds: 1
            })
        })
    )
  }
  return batch.map((message, index) => resultOf(message, leaders[index] ?? message))
})

/** Stores a batch of sends in one statement. Returns the result of each send. */
export const acceptMessages =
  (sql: SqlClient.SqlClient, findReplay: FindReplay) => (batch: ReadonlyArray<NewMessage>) =>
    orUnavailable(acceptBatch(sql, findReplay, batch))

/** A send that replies to a message. */
export interface Reply {
  readonly message: NewMessage
  readonly parent: MessageId
}

/**
 * Stores a reply in the thread and conversation of its parent, which are created if the parent has none. If the reply
 * is refused, nothing is created. None if the parent no longer exists.
 */
export const acceptReply = (sql: SqlClient.SqlClient, accept: ReturnType<typeof acceptMessages>) => {
  const store = Effect.fnUntraced(function* ({ parent: id, message }: Reply) {
    const { conversationId: requested, organizationId } = message.facts
    const parent = yield* lockParent(sql, organizationId, id)
    if (Option.isNone(parent)) return Option.none<Accepted>()
    const { conversationId, isNew, threadId, threads } = yield* joinThread(sql, organizationId, parent.value)
    if (isNew) yield* insertConversationEvents(sql, organizationId, conversationId, ["conversation.created"])
    const facts = { ...message.facts, threadId, conversationId: requested ?? conversationId }
    const [accepted] = yield* Effect.flatMap(accept([{ ...message, facts }]), Effect.all)
    if (isNew) yield* countInserted(sql, organizationId, { conversations: 1 })
    yield* countThreads(sql, organizationId, threads)
    return Option.fromNullable(accepted)
  })

  return (reply: Reply) => store(reply).pipe(sql.withTransaction, retryConflicts, orUnavailable)
}
