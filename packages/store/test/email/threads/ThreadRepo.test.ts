import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { assert, layer } from "@effect/vitest"
import { Conversation, ConversationStatus } from "@switchboard/domain/conversations/Conversation"
import { type Thread, type ThreadFilters, ThreadStatus } from "@switchboard/domain/email/threads/Thread"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { ParticipantId } from "@switchboard/domain/participants/Participant"
import { ConversationRepo } from "@switchboard/services/conversations/ConversationRepo"
import { ReceivedMessages } from "@switchboard/services/email/receiving/ReceivedMessages"
import { ThreadRepo } from "@switchboard/services/email/threads/ThreadRepo"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { objectsInMemory } from "@switchboard/services/testing/objects/ObjectsInMemory"
import { retryConflicts } from "@switchboard/store/database/Unavailable"
import { removeRecipient } from "@switchboard/store/erasure/EraseMessages"
import { bodies } from "@switchboard/store/retention/EraseBodies"
import { eraseDue } from "@switchboard/store/retention/EraseDue"
import { DateTime, Duration, Effect, Layer, Random, Struct } from "effect"
import { makeOrganization, newMessage } from "../../messages/Fixtures.js"
import { countRows } from "../../StoredRows.js"
import { OwnStoreLive } from "../../StoreLive.js"
import { address, authentication, inboundMail, readMail } from "../receiving/MailFixtures.js"

const Live = ReceivedMessages.Default.pipe(Layer.provide(objectsInMemory()), Layer.provideMerge(OwnStoreLive))

const people = ["ada@example.com", "bob@example.com", "eve@example.com"]
const firstPage = { page: 1, limit: 100 }
const part = { filename: "a.txt", contentType: "text/plain", contentId: null, isInline: false }
const parts = [{ ...part, content: new Uint8Array(3) }]

const transaction = <A>(statements: Effect.Effect<A, SqlError>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => retryConflicts(sql.withTransaction(statements)))

const pick = <A>(items: ReadonlyArray<A>) =>
  Effect.map(Random.nextIntBetween(0, items.length), (at) => items.slice(at, at + 1))

const receive = Effect.fnUntraced(function* (organization: OrganizationId, parent: ReadonlyArray<MessageId>) {
  const { receive: store } = yield* ReceivedMessages
  const repo = yield* MessageRepo
  const mail = yield* inboundMail(organization)
  const answered = yield* Effect.forEach(parent, (id) => Effect.flatten(repo.find(organization, id)))
  const inReplyTo = answered.map((message) => message.emailMetadata?.messageId ?? "")
  const [from = ""] = yield* pick(people)
  const hasParts = yield* Random.nextBoolean
  // Some mails are processed late.
  if (yield* Random.nextBoolean) yield* Effect.yieldNow()
  yield* store(
    mail,
    readMail({ inReplyTo, from: { name: "", address: from }, ...(hasParts ? { parts } : {}) }),
    authentication
  )
})

const reply = Effect.fnUntraced(function* (organization: OrganizationId, parent: MessageId) {
  const repo = yield* MessageRepo
  const to = people.slice(0, yield* Random.nextIntBetween(1, people.length + 1))
  yield* repo.acceptReply(yield* newMessage(organization, { to }), parent)
})

/** One random change of an organization's messages and threads. */
const change = Effect.fnUntraced(function* (organization: OrganizationId) {
  const sql = yield* SqlClient.SqlClient
  const messages = yield* sql<{ id: MessageId }>`SELECT id FROM messages WHERE organization_id = ${organization}`
  const threads = yield* (yield* ThreadRepo).list(organization, {}, { page: 1, limit: 100 })
  const parent = (yield* pick(messages)).map(({ id }) => id)
  const thread = yield* pick(threads.items)
  const [what = 0] = yield* pick([0, 0, 0, 1, 1, 1, 2, 3, 4, 5, 6, 7])
  if (what === 0) yield* Effect.ignore(receive(organization, parent))
  if (what === 1) yield* Effect.forEach(parent, (id) => reply(organization, id))
  if (what === 2) yield* receive(organization, [])
  if (what === 3)
    yield* Effect.forEach(parent, (id) => Effect.flatMap(MessageRepo, (repo) => repo.remove(organization, id)))
  if (what === 4)
    yield* Effect.forEach(thread, ({ id }) => Effect.flatMap(ThreadRepo, (repo) => repo.markRead(organization, id)))
  if (what === 5) {
    const [status = "active"] = yield* pick(ConversationStatus.literals)
    const { change: changeConversation } = yield* ConversationRepo
    yield* Effect.forEach(thread, ({ conversationId }) =>
      changeConversation(organization, conversationId, (before) =>
        Effect.succeed({
          conversation: new Conversation({ ...before, status }, { disableValidation: true }),
          eventTypes: ["conversation.updated"]
        })
      )
    )
  }
  if (what === 6)
    yield* Effect.forEach(parent, (id) =>
      transaction(
        removeRecipient(sql, { organizationId: organization, id, isTheirs: false }, address("bob@example.com"))
      )
    )
  if (what === 7) yield* eraseDue(sql, bodies, Duration.millis(1))
})

const changes = (organization: OrganizationId, number: number) =>
  Effect.replicateEffect(change(organization), number, { concurrency: 4, discard: true })

/** The threads of an organization, counted from its messages. */
const countedStatement = /* sql */ `
WITH named AS (
  SELECT m.*, t.read_up_to, CASE WHEN c.status IN ('resolved', 'archived') THEN c.status ELSE 'active' END AS status
  FROM messages AS m JOIN threads AS t ON t.organization_id = m.organization_id AND t.id = m.thread_id
    JOIN conversations AS c ON c.organization_id = t.organization_id AND c.id = t.conversation_id
  WHERE m.organization_id = $1
)
SELECT thread_id AS id, status, count(*)::int AS "messageCount",
  (count(*) FILTER (WHERE direction = 'inbound' AND (read_up_to IS NULL OR id > read_up_to)))::int AS "unreadCount",
  bool_or(attachment_count > 0) AS "hasAttachments", min(created_at) AS "firstMessageAt", max(created_at) AS "lastMessageAt",
  (array_agg(direction ORDER BY id DESC))[1] AS "lastMessageDirection",
  (SELECT array_agg(DISTINCT one ORDER BY one) FROM named AS n, unnest(from_participant_id || to_participant_ids) AS one
    WHERE n.thread_id = named.thread_id) AS participants
FROM named GROUP BY 1, 2 ORDER BY 1 DESC`

interface CountedThread extends Pick<Thread, "id" | "status"> {
  readonly firstMessageAt: Date
  readonly lastMessageAt: Date
  readonly participants: ReadonlyArray<ParticipantId>
}

/** All threads, lists and numbers equal a recount. Returns the number of threads. */
const checkThreads = Effect.fnUntraced(function* (organization: OrganizationId) {
  const sql = yield* SqlClient.SqlClient
  const { counts, list } = yield* ThreadRepo
  const counted = yield* sql.unsafe<CountedThread>(countedStatement, [organization])
  const all = yield* list(organization, {}, firstPage)
  assert.deepStrictEqual(
    all.items.map((thread) => ({
      ...Struct.pick(thread, "id", "status", "messageCount", "unreadCount", "hasAttachments", "lastMessageDirection"),
      firstMessageAt: DateTime.toDate(thread.firstMessageAt),
      lastMessageAt: DateTime.toDate(thread.lastMessageAt),
      participants: thread.participants.map(({ id }) => id)
    })),
    counted.map((row) => ({ ...row }))
  )
  const checkList = Effect.fnUntraced(function* (filters: ThreadFilters, isListed: (thread: CountedThread) => boolean) {
    const { items, pagination } = yield* list(organization, filters, firstPage)
    const expected = counted.filter(isListed).map(({ id }) => id)
    assert.deepStrictEqual([pagination.total, items.map(({ id }) => id)], [expected.length, expected])
  })
  for (const status of ThreadStatus.literals) yield* checkList({ status }, (thread) => thread.status === status)
  for (const participantId of new Set(counted.flatMap(({ participants }) => participants))) {
    yield* checkList({ participantId }, ({ participants }) => participants.includes(participantId))
    yield* checkList(
      { participantId, status: "active" },
      ({ participants, status }) => status === "active" && participants.includes(participantId)
    )
  }
  const of = (status: ThreadStatus) => counted.filter((thread) => thread.status === status).length
  assert.deepInclude(yield* counts(organization), {
    totalThreads: counted.length,
    activeThreads: of("active"),
    resolvedThreads: of("resolved"),
    archivedThreads: of("archived"),
    threadsLast7Days: counted.length
  })
  assert.strictEqual(yield* countRows("threads", organization), counted.length)
  return counted.length
})

layer(Live, { excludeTestServices: true })("Threads", (it) => {
  it.effect("equal a recount after concurrent changes", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      for (let round = 0; round < 2; round++) {
        yield* changes(organization, 20)
        assert.isAbove(yield* checkThreads(organization), 2)
      }
      const sql = yield* SqlClient.SqlClient
      const messages = yield* sql<{ id: MessageId }>`SELECT id FROM messages WHERE organization_id = ${organization}`
      const repo = yield* MessageRepo
      yield* Effect.forEach(messages, ({ id }) => repo.remove(organization, id), { concurrency: 4 })
      assert.strictEqual(yield* checkThreads(organization), 0)
    }).pipe(Effect.withRandom(Random.make("threads")))
  )

  it.effect("have each message once that is sent into them at the same time", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const repo = yield* MessageRepo
      const { list, messages } = yield* ThreadRepo
      const { message: parent } = yield* repo.accept(yield* newMessage(organization))
      const replies = Effect.replicateEffect(reply(organization, parent.id), 15, { concurrency: 15 })
      yield* replies
      const [thread] = (yield* list(organization, {}, firstPage)).items
      if (thread === undefined) return assert.fail("no thread")
      const send = Effect.gen(function* () {
        const { facts, ...message } = yield* newMessage(organization)
        const place = { threadId: thread.id, conversationId: thread.conversationId }
        return yield* repo.accept({ ...message, facts: { ...facts, ...place } })
      })
      yield* Effect.all([replies, Effect.replicateEffect(send, 15, { concurrency: 15 })], { concurrency: 2 })
      assert.strictEqual(yield* checkThreads(organization), 1)
      const { items, pagination } = yield* Effect.flatten(messages(organization, thread.id, firstPage))
      const ids = items.map(({ id }) => id)
      assert.deepStrictEqual([pagination.total, ids], [46, [...ids].sort()])
    })
  )

  it.effect("keep a send in a thread whose last message is deleted at the same time", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const organization = yield* makeOrganization()
      const repo = yield* MessageRepo
      yield* receive(organization, [])
      const [thread] = (yield* (yield* ThreadRepo).list(organization, {}, firstPage)).items
      if (thread === undefined) return assert.fail("no thread")
      const [first] = yield* sql<{ id: MessageId }>`SELECT id FROM messages WHERE organization_id = ${organization}`
      const { facts, ...message } = yield* newMessage(organization)
      const place = { threadId: thread.id, conversationId: thread.conversationId }
      const [{ message: sent }] = yield* Effect.all(
        [
          repo.accept({ ...message, facts: { ...facts, ...place } }),
          Effect.forEach(first === undefined ? [] : [first], ({ id }) => repo.remove(organization, id))
        ],
        { concurrency: 2 }
      )
      const threads = yield* checkThreads(organization)
      assert.strictEqual(threads, sent.threadId === null ? 0 : 1)
    }).pipe(Effect.withRandom(Random.make("deleted")))
  )
})
