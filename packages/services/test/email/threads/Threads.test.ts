import { assert, layer } from "@effect/vitest"
import { Conversation, type ConversationStatus } from "@switchboard/domain/conversations/Conversation"
import type { ApiError } from "@switchboard/domain/Errors"
import { Thread, ThreadCounts, ThreadId, ThreadMetadata } from "@switchboard/domain/email/threads/Thread"
import { Message, MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { ParticipantId } from "@switchboard/domain/participants/Participant"
import { ConversationRepo } from "@switchboard/services/conversations/ConversationRepo"
import { ReceivedMessages } from "@switchboard/services/email/receiving/ReceivedMessages"
import { Threads } from "@switchboard/services/email/threads/Threads"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { authentication, inboundMail, readMail, receive } from "@switchboard/store/testing/email/receiving/MailFixtures"
import { makeOrganization, newMessage } from "@switchboard/store/testing/messages/Fixtures"
import { countRows, storedEvents } from "@switchboard/store/testing/StoredRows"
import { Effect, Option, Schema } from "effect"
import { v7 } from "uuid"
import { MailLive } from "../../messages/MailLive.js"

const all = { page: 1, limit: 20 }

const accept = (organization: OrganizationId, given: Partial<Message> = {}) =>
  Effect.gen(function* () {
    const repo = yield* MessageRepo
    const message = yield* newMessage(organization)
    return (yield* repo.accept({ ...message, facts: { ...message.facts, ...given } })).message
  })

const threadOf = (organization: OrganizationId, message: MessageId) =>
  Effect.flatMap(Threads, ({ getByMessage }) => getByMessage(organization, message))

const setStatus = (organization: OrganizationId, { conversationId }: Thread, status: ConversationStatus) =>
  Effect.flatMap(ConversationRepo, ({ change }) =>
    change(organization, conversationId, (before) =>
      Effect.succeed({
        conversation: new Conversation({ ...before, status }, { disableValidation: true }),
        eventTypes: ["conversation.updated"]
      })
    )
  )

layer(MailLive, { excludeTestServices: true })("Threads on PostgreSQL", (it) => {
  it.effect("returns a thread with counts and participants that encodes", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const threads = yield* Threads
      const question = yield* accept(organization)
      const inReplyTo = [question.emailMetadata?.messageId ?? ""]
      const part = { filename: "a.txt", contentType: "text/plain", contentId: null, isInline: false }
      const parts = [{ ...part, content: new Uint8Array(3) }]
      const reply = yield* receive(organization, { subject: "Re: Hello", inReplyTo, parts })
      const thread = yield* threadOf(organization, reply)
      assert.deepStrictEqual(yield* threadOf(organization, question.id), thread)
      assert.deepStrictEqual(yield* threads.get(organization, thread.id), thread)
      const encoded = yield* Schema.encode(Thread)(thread)
      assert.deepInclude(encoded, {
        organizationId: organization,
        subject: "Hello",
        status: "active",
        messageCount: 2,
        unreadCount: 1,
        lastMessageDirection: "inbound",
        hasAttachments: true
      })
      assert.strictEqual(thread.firstMessageAt.epochMillis, question.createdAt.epochMillis)
      assert.isAbove(thread.lastMessageAt.epochMillis, thread.firstMessageAt.epochMillis - 1)
      assert.sameMembers(
        thread.participants.map(({ name }) => name),
        ["Us", "ada@example.com", "help@desk.test"]
      )
      const metadata = yield* Schema.encode(ThreadMetadata)(yield* threads.metadata(organization, thread.id))
      const { createdAt, conversationId, lastMessageDirection, organizationId, status, updatedAt, ...rest } = encoded
      assert.deepStrictEqual({ ...metadata }, rest)
    })
  )

  it.effect("marks a thread as read up to its last message, and counts delayed mail as unread", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const threads = yield* Threads
      const { receive: receiveMail } = yield* ReceivedMessages
      const first = yield* receive(organization)
      const delayed = yield* inboundMail(organization)
      const inReplyTo = [
        (yield* Effect.flatMap(MessageRepo, (repo) => Effect.flatten(repo.find(organization, first)))).emailMetadata
          ?.messageId ?? ""
      ]
      yield* receive(organization, { inReplyTo })
      const { id, unreadCount } = yield* threadOf(organization, first)
      assert.strictEqual(unreadCount, 2)
      const read = yield* threads.markRead(organization, id)
      assert.strictEqual(read.unreadCount, 0)
      assert.isAtLeast(read.updatedAt.epochMillis, read.lastMessageAt.epochMillis)
      assert.deepStrictEqual(yield* threads.markRead(organization, id), read)
      yield* receiveMail(delayed, readMail({ inReplyTo }), authentication)
      assert.isAtLeast((yield* threads.get(organization, id)).unreadCount, 1)
      assert.strictEqual((yield* threads.markRead(organization, id)).unreadCount, 0)
      yield* receive(organization, { inReplyTo })
      assert.strictEqual((yield* threads.get(organization, id)).unreadCount, 1)
    })
  )

  it.effect("lists threads newest first, filtered, with the exact total", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const threads = yield* Threads
      const subjects = ["One fish", "Two fish", "Red fish", "Blue bird"]
      const created = yield* Effect.forEach(subjects, (subject, n) =>
        Effect.flatMap(
          receive(organization, { subject, from: { name: "", address: `nr${n}@example.com` } }),
          (message) => threadOf(organization, message)
        )
      )
      const [one, two, red, blue] = created
      if (one === undefined || two === undefined || red === undefined || blue === undefined) return
      yield* setStatus(organization, one, "resolved")
      yield* setStatus(organization, two, "snoozed")
      yield* setStatus(organization, red, "archived")
      const list = (filters: Parameters<typeof threads.list>[1], page = all) =>
        Effect.map(threads.list(organization, filters, page), ({ items, pagination }) => [
          items.map(({ subject }) => subject),
          pagination.total
        ])
      assert.deepStrictEqual(yield* list({}), [subjects.toReversed(), 4])
      assert.deepStrictEqual(yield* list({}, { page: 2, limit: 3 }), [["One fish"], 4])
      assert.deepStrictEqual(yield* list({ status: "active" }), [["Blue bird", "Two fish"], 2])
      assert.deepStrictEqual(yield* list({ status: "resolved" }), [["One fish"], 1])
      assert.deepStrictEqual(yield* list({ status: "archived", search: "RED" }), [["Red fish"], 1])
      assert.deepStrictEqual(yield* list({ search: "%" }), [[], 0])
      const author = blue.participants.find(({ type }) => type === "contact")?.id
      assert.deepStrictEqual(yield* list({ participantId: ParticipantId.make(author ?? "") }), [["Blue bird"], 1])
      assert.deepStrictEqual(yield* list({ participantId: ParticipantId.make(v7()) }), [[], 0])
      const counts = yield* threads.counts(organization)
      assert.deepStrictEqual(
        { ...(yield* Schema.encode(ThreadCounts)(counts)) },
        {
          totalThreads: 4,
          activeThreads: 2,
          resolvedThreads: 1,
          archivedThreads: 1,
          threadsLast7Days: 4,
          threadsLast30Days: 4
        }
      )
      assert.deepStrictEqual((yield* threads.list(organization, {}, all)).items[1]?.status, "archived")
    })
  )

  it.effect("returns the messages of a thread, oldest first", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const threads = yield* Threads
      const question = yield* accept(organization)
      const inReplyTo = [question.emailMetadata?.messageId ?? ""]
      const replies = yield* Effect.replicateEffect(receive(organization, { inReplyTo }), 4)
      const { id } = yield* threadOf(organization, question.id)
      const ids = [question.id, ...replies]
      const first = yield* threads.messages(organization, id, { page: 1, limit: 3 })
      assert.deepStrictEqual(
        first.items.map((message) => message.id),
        ids.slice(0, 3)
      )
      assert.deepInclude(first.pagination, { total: 5, totalPages: 2 })
      const second = yield* threads.messages(organization, id, { page: 2, limit: 3 })
      assert.deepStrictEqual(
        second.items.map((message) => message.id),
        ids.slice(3)
      )
      for (const { json } of second.items) {
        const message = yield* Schema.decode(Schema.parseJson(Message))(json)
        assert.deepStrictEqual(JSON.parse(json), { ...(yield* Schema.encode(Message)(message)) })
      }
    })
  )

  it.effect("returns not found for threads of another organization and threads without messages", () =>
    Effect.gen(function* () {
      const [own, other] = yield* Effect.all([makeOrganization(), makeOrganization()])
      const threads = yield* Threads
      const repo = yield* MessageRepo
      const message = yield* receive(own)
      const { id } = yield* threadOf(own, message)
      const errorOf = <A>(effect: Effect.Effect<A, ApiError>) =>
        Effect.map(Effect.flip(effect), (error) => [error._tag, "id" in error ? error.id : null])
      const errorsOf = Effect.fnUntraced(function* (organization: OrganizationId, thread: ThreadId, mail: MessageId) {
        const replies: ReadonlyArray<ReadonlyArray<string | null>> = yield* Effect.all([
          errorOf(threads.get(organization, thread)),
          errorOf(threads.metadata(organization, thread)),
          errorOf(threads.messages(organization, thread, all)),
          errorOf(threads.markRead(organization, thread)),
          errorOf(threads.getByMessage(organization, mail))
        ])
        return replies
      })
      const missing = (thread: string, mail: string) =>
        [thread, thread, thread, thread, mail].map((id) => ["ResourceNotFoundError", id])
      assert.deepStrictEqual(yield* errorsOf(other, id, message), missing(id, message))
      const unknown = [ThreadId.make(v7()), MessageId.make(v7())] as const
      assert.deepStrictEqual(yield* errorsOf(own, ...unknown), missing(...unknown))
      assert.strictEqual((yield* threads.list(other, {}, all)).pagination.total, 0)
      assert.strictEqual((yield* threads.counts(other)).totalThreads, 0)
      // A message without replies has no thread.
      const alone = yield* accept(own)
      assert.strictEqual((yield* Effect.flip(threads.getByMessage(own, alone.id)))._tag, "ResourceNotFoundError")
      yield* repo.remove(own, message)
      assert.deepStrictEqual(yield* errorsOf(own, id, message), missing(id, message))
      assert.strictEqual((yield* threads.list(own, {}, all)).pagination.total, 0)
      assert.strictEqual((yield* threads.counts(own)).totalThreads, 0)
    })
  )

  it.effect("creates one thread for concurrent replies sent and received", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const { acceptReply } = yield* MessageRepo
      const question = yield* accept(organization)
      const inReplyTo = [question.emailMetadata?.messageId ?? ""]
      const reply = Effect.flatMap(newMessage(organization), (message) =>
        Effect.flatten(acceptReply(message, question.id))
      )
      const [ours, replies] = yield* Effect.all(
        [
          Effect.replicateEffect(reply, 3, { concurrency: 3 }),
          Effect.forEach(
            [1, 2, 3],
            (n) => receive(organization, { inReplyTo, from: { name: "", address: `Nr${n}@example.com` } }),
            { concurrency: 3 }
          )
        ],
        { concurrency: 2 }
      )
      const { conversationId, id } = yield* threadOf(organization, question.id)
      for (const { message } of ours) {
        assert.deepStrictEqual([message.threadId, message.conversationId], [id, conversationId])
      }
      for (const reply of replies) assert.strictEqual((yield* threadOf(organization, reply)).id, id)
      // Ada, the sender, three repliers and the address they replied to.
      assert.strictEqual(yield* countRows("conversation_participants", organization), 6)
      assert.strictEqual(yield* countRows("conversations", organization), 1)
      assert.lengthOf(yield* storedEvents(organization, "conversation.created"), 1)
      assert.strictEqual((yield* (yield* Threads).list(organization, {}, all)).pagination.total, 1)
      const other = yield* makeOrganization()
      assert.isTrue(Option.isNone(yield* acceptReply(yield* newMessage(other), question.id)))
      const joined = yield* accept(organization, { parentMessageId: question.id, threadId: id, conversationId })
      assert.deepStrictEqual([joined.threadId, joined.conversationId], [id, conversationId])
      assert.strictEqual((yield* threadOf(organization, joined.id)).messageCount, 8)
    })
  )
})
