import type { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { type ConflictError, type PaymentRequiredError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { Message } from "@switchboard/domain/messages/Message"
import { planExceeded } from "@switchboard/domain/organizations/PlanLimit"
import type { MessageParticipant, ParticipantId } from "@switchboard/domain/participants/Participant"
import type { Accepted, NewMessage } from "@switchboard/services/messages/MessageRepo"
import { Duration, Effect, Option, Predicate, Schedule } from "effect"
import { joinMessages } from "../../conversations/JoinMessages.js"
import { codeOf, isConflict, orUnavailable } from "../../database/Unavailable.js"
import { assembleMessage } from "../MessageRows.js"
import { type AcceptRow, acceptParameters, acceptStatement } from "./AcceptStatement.js"
import { keyReused, type Repetition } from "./FindReplays.js"

/** Where the accept statement proves what it decided: a key or address that exists by now, a null on purpose. */
const proofs = new Set<unknown>(["message_claims", "message_contents", "participant_addresses", "organization_usage"])

const isOvertaken = (error: SqlError): boolean =>
  /^(?:23505|23502)$/.test(codeOf(error)) &&
  Predicate.hasProperty(error.cause, "table") &&
  proofs.has(error.cause.table)

/**
 * Tries a statement again that another one overtook: since the other has ended by then, the next snapshot shows what
 * it did. Each time somebody got on, so that many rounds of it are a crowd, not a fault.
 */
const retryOvertaken = <A, R>(self: Effect.Effect<A, SqlError, R>) =>
  self.pipe(
    Effect.retry({
      times: 10,
      schedule: Schedule.jittered(Schedule.exponential("1 millis")),
      while: (error) => isOvertaken(error) || isConflict(error)
    }),
    Effect.catchIf(isOvertaken, (error) =>
      Effect.zipRight(
        Effect.logWarning("A batch of sends was overtaken again and again", error),
        new ServiceUnavailableError({ message: "Too many sends of the same at once", retryAfterSeconds: 1 })
      )
    )
  )

type Judgement = Effect.Effect<Accepted, ConflictError | PaymentRequiredError | ServiceUnavailableError>

/** Finds the earlier message that a send repeats. */
type FindReplay = (send: Repetition) => Effect.Effect<Option.Option<Message>, ConflictError | ServiceUnavailableError>

/**
 * Who of a batch goes into the database, and whom the others repeat: the same key, or without a key the same content
 * within the window, is the same send.
 */
const leadersOf = (batch: ReadonlyArray<NewMessage>): ReadonlyArray<NewMessage> => {
  const byKey = new Map<string, NewMessage>()
  const byContent = new Map<string, NewMessage>()
  return batch.map((message) => {
    const { claim, contentHash, dedupeWindow } = message.identity
    const content = `${message.facts.organizationId} ${contentHash}`
    const key = claim === null ? null : `${message.facts.organizationId} ${claim.key}`
    const leader = key !== null ? byKey.get(key) : Duration.isZero(dedupeWindow) ? undefined : byContent.get(content)
    if (leader !== undefined) return leader
    if (key !== null) byKey.set(key, message)
    if (!byContent.has(content)) byContent.set(content, message)
    return message
  })
}

/** Whoever a message of a conversation is from or to takes part in it, from the same transaction on. */
const withConversations = (
  sql: SqlClient.SqlClient,
  leaders: ReadonlyArray<NewMessage>,
  accept: Effect.Effect<ReadonlyArray<AcceptRow>, SqlError>
) => {
  const placed = leaders.filter(({ facts }) => facts.conversationId !== null)
  if (placed.length === 0) return accept
  return sql.withTransaction(
    Effect.tap(accept, ([row]) => {
      const accepted = new Map((row?.accepted ?? []).map((one) => [one.id, one]))
      return joinMessages(
        sql,
        placed.flatMap(({ facts: { conversationId, id, organizationId } }) => {
          const one = accepted.get(id)
          if (one === undefined || conversationId === null) return []
          return [{ organizationId, conversationId, participants: [one.from, ...one.to] }]
        })
      )
    })
  )
}

const store = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, leaders: ReadonlyArray<NewMessage>) {
  const parameters = acceptParameters(leaders)
  const [row] = yield* retryOvertaken(
    withConversations(sql, leaders, sql.unsafe<AcceptRow>(acceptStatement, parameters))
  )
  const participants = new Map(
    (row?.participants ?? []).map(({ address, ...one }): [ParticipantId, MessageParticipant] => [
      one.id,
      { ...one, channelIdentities: { email: [address] } }
    ])
  )
  const given = new Map(leaders.map((message) => [message.facts.id, message]))
  const stored = (row?.accepted ?? []).flatMap(({ from, id, to }): ReadonlyArray<Message> => {
    const message = given.get(id)
    if (message === undefined) return []
    const { addressing, facts, state } = message
    return [
      assembleMessage({ ...facts, fromParticipantId: from, toParticipantIds: to }, state, addressing, participants)
    ]
  })
  return {
    refused: new Map((row?.refused ?? []).map(({ id, ...over }) => [id, over])),
    stored: new Map(stored.map((message) => [message.id, message]))
  }
})

/** Stores a batch of sends, or nothing of it, and says of each what became of it. */
export const acceptMessages =
  (sql: SqlClient.SqlClient, findReplay: FindReplay) => (batch: ReadonlyArray<NewMessage>) =>
    orUnavailable(
      Effect.gen(function* () {
        const leaders = leadersOf(batch)
        const { refused, stored } = yield* store(sql, [...new Set(leaders)])

        const judge = (message: NewMessage, leader: NewMessage): Judgement => {
          const over = refused.get(leader.facts.id)
          if (over !== undefined) return planExceeded(over.plan, over.used)
          const accepted = stored.get(leader.facts.id)
          if (accepted !== undefined) {
            if (leader === message) return Effect.succeed({ message: accepted, replayed: false })
            return leader.identity.claim?.fingerprint === message.identity.claim?.fingerprint ||
              message.identity.claim === null
              ? Effect.succeed({ message: accepted, replayed: true })
              : keyReused
          }
          return Effect.flatMap(
            findReplay({ organization: message.facts.organizationId, identity: message.identity }),
            (found) =>
              Option.match(found, {
                onSome: (original) => Effect.succeed({ message: original, replayed: true }),
                // It was there when its key was refused, and ended or was deleted since: the caller's retry will find out.
                onNone: () =>
                  new ServiceUnavailableError({ message: "The earlier send is just ending", retryAfterSeconds: 1 })
              })
          )
        }
        return batch.map((message, index) => judge(message, leaders[index] ?? message))
      })
    )
