import { SqlClient } from "@effect/sql"
import type { ConflictError, PaymentRequiredError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import { EventId } from "@switchboard/domain/events/EventType"
import type { Message, MessageId } from "@switchboard/domain/messages/Message"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type Accepted, MessageRepo, type NewMessage } from "@switchboard/services/messages/MessageRepo"
import { newId } from "@switchboard/services/NewId"
import { DateTime, Effect, Layer, Number, Option } from "effect"
import { groupCommit } from "../database/GroupCommit.js"
import { prepared } from "../database/Prepared.js"
import { forCaller, orUnavailable, retryConflicts } from "../database/Unavailable.js"
import { addSuppressions } from "../email/blocks/SuppressRecipients.js"
import { eraseReceivedParts } from "../email/receiving/EraseReceived.js"
import { type Answer, acceptAnswer } from "./accept/AcceptAnswer.js"
import { acceptMessages } from "./accept/AcceptMessages.js"
import { findReplays, type Repetition } from "./accept/FindReplays.js"
import { listMessages } from "./ListMessages.js"
import { type MessageRow, messageColumns, messageFromRow, messageTables, selectMessage } from "./MessageRows.js"
import { type StateRow, stateColumns, stateFromRow, writeStates } from "./StateRows.js"

/** Which message somebody asks for. */
interface Wanted {
  readonly organization: OrganizationId
  readonly id: MessageId
}

const findStatement = prepared(
  "find_messages",
  /* sql */ `
SELECT ${messageColumns}
FROM unnest($1::uuid[], $2::uuid[]) AS w(organization_id, id)
  JOIN (${messageTables}) ON m.organization_id = w.organization_id AND m.id = w.id`
)

const keyOf = (organization: OrganizationId, id: MessageId) => `${organization} ${id}`

/** The messages that a batch of callers asks for, in their order: one statement, each caller in its own organization. */
const findMessages = (sql: SqlClient.SqlClient) => (batch: ReadonlyArray<Wanted>) =>
  orUnavailable(
    Effect.map(
      sql.unsafe<MessageRow>(findStatement, [batch.map(({ organization }) => organization), batch.map(({ id }) => id)]),
      (rows) => {
        const found = new Map(rows.map((row) => [keyOf(row.organization_id, row.id), row]))
        return batch.map(({ id, organization }) =>
          Effect.succeed(Option.map(Option.fromNullable(found.get(keyOf(organization, id))), messageFromRow))
        )
      }
    )
  )

/** Accepts that share a transaction at most. */
const acceptBatch = 200

/** Finds that share a statement at most. */
const findBatch = 50

type Refusal = ConflictError | PaymentRequiredError | ServiceUnavailableError

/** What is large about a message. */
const octetsOf = ({ attachments }: NewMessage) => Number.sumAll(attachments.map(({ content }) => content.byteLength))

/**
 * Removes everything of a message but its claim, its usage and its events. The new event has no content of the message,
 * but the fields by which endpoints are chosen.
 */
const removeStatement = /* sql */ `
WITH removed AS (
  DELETE FROM messages WHERE organization_id = $1 AND id = $2
  RETURNING id, channel, tags, is_test, external_id, reference_id
), states AS (
  DELETE FROM message_states WHERE organization_id = $1 AND message_id = $2
), participants AS (
  DELETE FROM message_participants AS p USING removed AS r, (
    SELECT unnest(from_participant_id || to_participant_ids) AS id FROM messages WHERE organization_id = $1 AND id = $2
  ) AS who WHERE p.organization_id = $1 AND p.message_id = r.id AND p.participant_id = who.id
), attachments AS (
  DELETE FROM message_attachments WHERE organization_id = $1 AND message_id = $2
), queued AS (
  DELETE FROM message_queue WHERE organization_id = $1 AND message_id = $2
), waiting AS (
  DELETE FROM message_waiting WHERE organization_id = $1 AND message_id = $2
), ${eraseReceivedParts}, counted AS (
  UPDATE organization_usage SET messages_kept = messages_kept - 1
  WHERE organization_id = $1 AND EXISTS (SELECT 1 FROM removed)
), told AS (
  INSERT INTO events (organization_id, id, type, subject_id, data, created_at)
  SELECT $1, $3::uuid, 'message.deleted', r.id, json_build_object('id', r.id, 'channel', r.channel, 'tags', r.tags,
    'isTest', r.is_test, 'externalId', r.external_id, 'referenceId', r.reference_id, 'deletedAt', $4::text), $4::timestamptz
  FROM removed AS r
)
SELECT id FROM removed`

/** Messages in the tables `messages`, `message_states` and those around them. */
export const MessageRepoSql = Layer.scoped(
  MessageRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    // A statement costs both processes more than a message in it: readers share one as writers share a commit.
    const find = yield* groupCommit<Wanted, Option.Option<Message>, never>(findMessages(sql), findBatch, () => 0)
    const findReplay = yield* groupCommit<Repetition, Option.Option<Message>, ConflictError>(
      findReplays(sql),
      findBatch,
      () => 0
    )

    const accept = acceptMessages(sql, findReplay)
    const acceptTogether = groupCommit<NewMessage, Accepted, Refusal>(accept, acceptBatch, octetsOf)
    const acceptAlone = yield* acceptTogether
    // They take more statements: the others don't wait for that.
    const acceptPlaced = yield* acceptTogether
    // Each locks what it answers: they share nothing, but the patience that is due to their octets.
    const acceptOne = acceptAnswer(sql, accept)
    const acceptFirst = yield* groupCommit<Answer, Option.Option<Accepted>, Refusal>(
      (answers) => Effect.all(answers.map((answer) => Effect.either(acceptOne(answer)))),
      1,
      ({ message }) => octetsOf(message)
    )

    const change = <E>(
      organization: OrganizationId,
      id: MessageId,
      decide: (state: MessageState) => Effect.Effect<MessageState, E>
    ) =>
      Effect.gen(function* () {
        const [row] = yield* sql<StateRow>`SELECT ${sql.literal(stateColumns)} FROM message_states AS s
          WHERE s.organization_id = ${organization} AND s.message_id = ${id} FOR UPDATE`
        if (row === undefined) return Option.none()
        const before = stateFromRow(row)
        const after = yield* decide(before)
        if (after !== before) {
          const changes = [{ organizationId: organization, messageId: id, before, after }]
          yield* writeStates(sql, changes)
          yield* addSuppressions(sql, changes)
        }
        if (after.status === "failed" || after.status === "bounced") {
          yield* sql`DELETE FROM message_queue WHERE organization_id = ${organization} AND message_id = ${id}`
          yield* sql`DELETE FROM message_waiting WHERE organization_id = ${organization} AND message_id = ${id}`
        }
        return yield* selectMessage(sql, organization, id)
      }).pipe(sql.withTransaction, retryConflicts, forCaller)

    return {
      accept: (message) => (message.facts.conversationId === null ? acceptAlone : acceptPlaced)(message),
      acceptAnswer: (message, answered) => acceptFirst({ message, answered }),
      findReplay: (organization, identity) => findReplay({ organization, identity }),
      find: (organization, id) => find({ organization, id }),
      list: (organization, filter, request) => forCaller(listMessages(sql, organization, filter, request)),
      change,
      remove: (organization, id) =>
        Effect.gen(function* () {
          const { id: eventId, now } = yield* newId(EventId)
          const rows = yield* sql.unsafe(removeStatement, [organization, id, eventId, DateTime.formatIso(now)])
          return rows.length > 0
        }).pipe(retryConflicts, forCaller)
    }
  })
)
