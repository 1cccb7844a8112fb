import type { SqlClient } from "@effect/sql"
import { type ConflictError, PaymentRequiredError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { Message, MessageId } from "@switchboard/domain/messages/Message"
import type { Accepted, NewMessage } from "@switchboard/services/messages/MessageRepo"
import { Duration, Effect, Option } from "effect"
import { orUnavailable, retryConflicts } from "../Unavailable.js"
import { claimSends } from "./ClaimSends.js"
import { findOrMakeParticipants } from "./FindOrMakeParticipants.js"
import { findReplay, keyReused } from "./FindReplay.js"
import { insertMessages } from "./InsertMessages.js"
import { assembleMessage } from "./MessageRows.js"

type Judgement = Effect.Effect<Accepted, ConflictError | PaymentRequiredError | ServiceUnavailableError>

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

const store = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, leaders: ReadonlyArray<NewMessage>) {
  const { fresh, refused } = yield* claimSends(sql, leaders)
  const isNew = leaders.filter(({ facts }) => fresh.has(facts.id))
  const participantOf = yield* findOrMakeParticipants(sql, isNew)
  const stored = isNew.map((given) => {
    const { addressing, facts, recipients, sender, state } = given
    const from = participantOf(facts.organizationId, sender.address)
    const to = new Map(
      recipients.map((recipient) => participantOf(facts.organizationId, recipient)).map((one) => [one.id, one])
    )
    const message = assembleMessage(
      { ...facts, fromParticipantId: from.id, toParticipantIds: [...to.keys()] },
      state,
      addressing,
      new Map([...to, [from.id, from]])
    )
    return { given, message }
  })
  yield* insertMessages(sql, stored)
  return { refused, stored: new Map<MessageId, Message>(stored.map(({ message }) => [message.id, message])) }
})

/** Stores a batch of sends in one transaction, and says of each what became of it. */
export const acceptMessages = (sql: SqlClient.SqlClient) => (batch: ReadonlyArray<NewMessage>) =>
  orUnavailable(
    Effect.gen(function* () {
      const leaders = leadersOf(batch)
      const { refused, stored } = yield* retryConflicts(sql.withTransaction(store(sql, [...new Set(leaders)])))

      const judge = (message: NewMessage, leader: NewMessage): Judgement => {
        const over = refused.get(leader.facts.id)
        if (over !== undefined) return new PaymentRequiredError({ resource: "messages", ...over })
        const accepted = stored.get(leader.facts.id)
        if (accepted !== undefined) {
          if (leader === message) return Effect.succeed({ message: accepted, replayed: false })
          return leader.identity.claim?.fingerprint === message.identity.claim?.fingerprint ||
            message.identity.claim === null
            ? Effect.succeed({ message: accepted, replayed: true })
            : keyReused
        }
        return Effect.flatMap(orUnavailable(findReplay(sql, message.facts.organizationId, message.identity)), (found) =>
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
