import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { type ConversationId, Message, type MessageId } from "@switchboard/domain/messages/Message"
import { objectKey } from "@switchboard/domain/objects/ObjectKey"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { ReceivedMessages } from "@switchboard/services/email/receiving/ReceivedMessages"
import { EventRepo } from "@switchboard/services/events/EventRepo"
import { encodeEvent } from "@switchboard/services/events/StoredEvent"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { insertMail } from "@switchboard/store/testing/email/receiving/Fixtures"
import {
  address,
  authentication,
  help,
  inboundMail,
  readMail,
  receive
} from "@switchboard/store/testing/email/receiving/MailFixtures"
import { makeOrganization, newMessage } from "@switchboard/store/testing/messages/Fixtures"
import { countRows } from "@switchboard/store/testing/StoredRows"
import { StoreLive } from "@switchboard/store/testing/StoreLive"
import { DateTime, Effect, Layer, Schedule, Schema } from "effect"
import { v7 } from "uuid"
import { objectsInMemory } from "../../objects/ObjectsInMemory.js"

const objects = new Map<string, Uint8Array>()
const Live = ReceivedMessages.Default.pipe(Layer.provide(objectsInMemory(objects)), Layer.provideMerge(StoreLive))

const find = (organization: OrganizationId, id: MessageId) =>
  Effect.flatMap(MessageRepo, (repo) => Effect.flatten(repo.find(organization, id)))

/** Receives a mail; returns its message. */
const received = (...mail: Parameters<typeof receive>) => Effect.flatMap(receive(...mail), (id) => find(mail[0], id))

/** Stores an outgoing message to ada@example.com. */
const sendToAda = Effect.fnUntraced(function* (organization: OrganizationId, subject = "Your order") {
  const repo = yield* MessageRepo
  const message = yield* newMessage(organization)
  const content = { ...message.facts.content, subject }
  return (yield* repo.accept({ ...message, facts: { ...message.facts, content } })).message
})

/**
 * All events of the organization. Waits: a running transaction on the server, of another test too, delays their
 * visibility.
 */
const eventsOf = (organization: OrganizationId) =>
  Effect.gen(function* () {
    const events = yield* EventRepo
    const stored = yield* countRows("events", organization)
    const { events: found } = yield* events
      .after(organization, null, 100, () => true)
      .pipe(
        Effect.filterOrFail(({ events: { length } }) => length === stored),
        Effect.retry(Schedule.spaced("10 millis"))
      )
    return found.flatMap(({ event, message }) => encodeEvent(event, message) ?? [])
  })

const typesOf = (organization: OrganizationId) =>
  Effect.map(eventsOf(organization), (events) =>
    events.map(({ type }) => type).filter((type) => type !== "message.created")
  )

const resolve = (organization: OrganizationId, conversation: ConversationId, status: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`UPDATE conversations SET status = ${status}, resolved_at = now(), resolution_type = 'manual',
      resolution_notes = 'Done', resolved_by = ${v7()}, archived_at = now()
      WHERE organization_id = ${organization} AND id = ${conversation}`
  )

const statusOf = (organization: OrganizationId, conversation: ConversationId) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ status: string }>`SELECT status FROM conversations
        WHERE organization_id = ${organization} AND id = ${conversation}`,
      ([row]) => row?.status
    )
  )

const placeOf = ({ conversationId, threadId }: Message) => ({ conversationId, threadId })

layer(Live, { excludeTestServices: true })("ReceivedMessages on PostgreSQL", (it) => {
  it.effect("creates a thread and a conversation for mail that is no reply", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const id = yield* receive(organization, {
        html: '<p>Hello <img src="cid:logo"></p>',
        cc: [{ name: "", address: "bob@example.com" }],
        replyTo: [{ name: "Ada", address: "ada@private.example" }],
        parts: [
          {
            filename: "logo.png",
            contentType: "IMAGE/PNG",
            contentId: "<logo>",
            isInline: true,
            content: new Uint8Array([1, 2])
          },
          { filename: null, contentType: "no type", contentId: null, isInline: false, content: new Uint8Array([3]) }
        ]
      })
      const message = yield* find(organization, id)
      const encoded = yield* Schema.encode(Message)(message)
      assert.deepInclude(encoded, {
        direction: "inbound",
        channel: "email",
        status: "delivered",
        parentMessageId: null,
        cost: "0",
        currency: "EUR",
        apiKeyId: null,
        queueMessageId: null,
        isAutomated: false,
        isTest: false
      })
      assert.isNotNull(message.threadId)
      assert.isNotNull(message.conversationId)
      assert.strictEqual(encoded.deliveredAt, encoded.createdAt)
      assert.deepStrictEqual(encoded.statusHistory, [{ status: "delivered", timestamp: encoded.createdAt }])
      assert.deepStrictEqual(message.content, {
        subject: "Hello",
        html: '<p>Hello <img src="cid:logo"></p>',
        text: "Hello",
        replyText: "Hello",
        from: "Ada Lovelace <Ada@Example.com>",
        replyTo: ["ada@private.example"],
        attachments: [
          { filename: "logo.png", contentType: "image/png", size: 2 },
          { filename: "attachment-2", contentType: "application/octet-stream", size: 1 }
        ]
      })
      assert.deepInclude(message.emailMetadata, {
        to: ["help@desk.test"],
        cc: ["bob@example.com"],
        bcc: [],
        headers: {}
      })
      assert.deepStrictEqual(
        message.emailMetadata?.deliveries.map(({ recipient, status }) => [recipient, status]),
        [["help@desk.test", "delivered"]]
      )
      const { fromParticipant, toParticipants } = message
      assert.deepInclude(fromParticipant, { name: "Ada Lovelace", displayName: "Ada Lovelace", type: "contact" })
      assert.deepStrictEqual(fromParticipant?.channelIdentities, { email: ["ada@example.com"] })
      assert.deepStrictEqual(
        toParticipants?.map(({ name, type }) => [name, type]),
        [["help@desk.test", "sender"]]
      )
      assert.deepStrictEqual(
        [0, 1].map((position) => objects.get(objectKey(organization, "mail", id, String(position)))?.length),
        [2, 1]
      )
      const events = yield* eventsOf(organization)
      assert.deepStrictEqual(
        events.map(({ type }) => type),
        ["message.received", "conversation.created"]
      )
      const [received, created] = events
      assert.deepInclude(received?.data, { id, status: "delivered", direction: "inbound" })
      assert.notInclude(JSON.stringify(received), "cid:logo")
      assert.deepInclude(created?.data, {
        id: message.conversationId,
        title: "Hello",
        status: "active",
        channels: ["email"],
        primaryChannel: "email",
        priority: 2,
        urgency: "low",
        complexity: "simple",
        startedAt: encoded.createdAt,
        lastActivityAt: encoded.createdAt,
        lastHumanActivityAt: encoded.createdAt
      })
      assert.strictEqual(yield* countRows("conversation_participants", organization), 2)
    })
  )

  it.effect("stores one message for mail received repeatedly and concurrently", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const { receive: receiveMail } = yield* ReceivedMessages
      const repo = yield* MessageRepo
      const mail = yield* inboundMail(organization)
      const part = { filename: "a.txt", contentType: "text/plain", contentId: null, isInline: false }
      const read = readMail({ parts: [{ ...part, content: new Uint8Array(3) }] })
      const sql = yield* SqlClient.SqlClient
      yield* insertMail(organization, mail.id, { fingerprint: "f", isProcessed: false })
      yield* sql`INSERT INTO inbound_queue (organization_id, id, ready_at) VALUES (${organization}, ${mail.id}, now())`
      yield* Effect.replicateEffect(receiveMail(mail, read, authentication), 5, { concurrency: 5 })
      yield* receiveMail(mail, read, authentication)
      for (const table of ["messages", "message_states", "inbound_messages", "threads", "conversations"]) {
        assert.strictEqual(yield* countRows(table, organization), 1, table)
      }
      assert.deepStrictEqual(yield* typesOf(organization), ["message.received", "conversation.created"])
      const { items, pagination } = yield* repo.list(organization, {}, { page: 1, limit: 20 })
      assert.deepStrictEqual([items.length, pagination.total], [1, 1])
      const key = objectKey(organization, "mail", mail.id, "0")
      assert.isTrue(objects.delete(key))
      // A deleted message is not stored again by a late worker.
      assert.isTrue(yield* repo.remove(organization, mail.id))
      yield* receiveMail(mail, read, authentication)
      assert.strictEqual((yield* repo.list(organization, {}, { page: 1, limit: 20 })).pagination.total, 0)
      assert.strictEqual(yield* countRows("messages", organization), 0)
      assert.isFalse(objects.has(key))
      const removals = yield* sql`SELECT key FROM object_removals WHERE organization_id = ${organization}`
      assert.deepStrictEqual(removals, [{ key }])
      assert.deepStrictEqual(
        [yield* countRows("inbound_attachments", organization), yield* countRows("inbound_queue", organization)],
        [0, 0]
      )
      const rows = yield* sql`SELECT i.*, m.* FROM inbound_messages AS i JOIN inbound_mails AS m ON m.id = i.message_id
        WHERE i.organization_id = ${organization}`
      assert.lengthOf(rows, 1)
      assert.include(rows[0], { fingerprint: "f", raw: null })
      for (const erased of [read.messageId, "ada@example.com"]) assert.notInclude(JSON.stringify(rows), erased)
    })
  )

  it.effect("creates a thread with the replied message, which later replies join", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const question = yield* sendToAda(organization)
      assert.deepStrictEqual(placeOf(question), { conversationId: null, threadId: null })
      const rfcId = question.emailMetadata?.messageId ?? ""
      const read = { subject: "Re: Your order", inReplyTo: [rfcId] }
      const first = yield* received(organization, read)
      const parent = yield* find(organization, question.id)
      assert.isNotNull(first.threadId)
      assert.deepStrictEqual(placeOf(parent), placeOf(first))
      assert.strictEqual(first.parentMessageId, question.id)
      // A second reply refers to the first reply only.
      const named = first.emailMetadata?.messageId ?? ""
      const second = yield* received(organization, { references: [named] })
      assert.deepStrictEqual(placeOf(second), placeOf(first))
      assert.strictEqual(second.parentMessageId, first.id)
      assert.strictEqual(yield* countRows("threads", organization), 1)
      assert.deepStrictEqual(yield* typesOf(organization), [
        "message.received",
        "conversation.created",
        "message.received"
      ])
      const created = (yield* eventsOf(organization)).find(({ type }) => type === "conversation.created")
      assert.deepInclude(created?.data, { title: "Your order" })
    })
  )

  it.effect(
    "finds the parent by the signed reply address before the headers, and addresses the reply to the parent's sender",
    () =>
      Effect.gen(function* () {
        const organization = yield* makeOrganization()
        const [question, other] = [yield* sendToAda(organization), yield* sendToAda(organization)]
        const recipients = [
          { address: address("r+x@desk.test"), kind: { _tag: "Reply" as const, messageId: question.id } }
        ]
        const read = { subject: "Another subject", inReplyTo: [other.emailMetadata?.messageId ?? ""] }
        const reply = yield* received(organization, read, { recipients })
        assert.strictEqual(reply.parentMessageId, question.id)
        assert.deepStrictEqual(reply.toParticipantIds, [question.fromParticipantId])
        assert.deepStrictEqual(reply.emailMetadata?.deliveries[0]?.recipient, "r+x@desk.test")
        // Without the parent message, the headers are used.
        const repo = yield* MessageRepo
        yield* repo.remove(organization, question.id)
        const later = yield* received(organization, read, { recipients })
        assert.strictEqual(later.parentMessageId, other.id)
        assert.deepStrictEqual(later.toParticipantIds, [])
      })
  )

  it.effect("replies to the last known reference of the same organization", () =>
    Effect.gen(function* () {
      const [own, other] = yield* Effect.all([makeOrganization(), makeOrganization()])
      const [first, second] = [yield* sendToAda(own), yield* sendToAda(own)]
      const references = [first, second].map(({ emailMetadata }) => emailMetadata?.messageId ?? "")
      const nearest = yield* find(own, yield* receive(own, { references: [...references, "<unknown@example.com>"] }))
      assert.strictEqual(nearest.parentMessageId, second.id)
      const signed = [{ address: address("r+x@desk.test"), kind: { _tag: "Reply" as const, messageId: first.id } }]
      const foreign = yield* find(
        other,
        yield* receive(
          other,
          { references, inReplyTo: [nearest.emailMetadata?.messageId ?? ""] },
          { recipients: signed }
        )
      )
      assert.isNull(foreign.parentMessageId)
      // Message-IDs of the installation's form that it did not create.
      const [, domain] = (references[0] ?? "").split("@")
      const forged = [`<${first.id}@elsewhere.test>`, `<${v7()}@${domain}`]
      const stray = yield* find(own, yield* receive(own, { references: forged }))
      assert.isNull(stray.parentMessageId)
    })
  )

  it.effect("finds the organization's own copy of a mail that several organizations received", () =>
    Effect.gen(function* () {
      const both = yield* Effect.all([makeOrganization(), makeOrganization()])
      const messageId = `<${v7()}@mail.example.com>`
      const copies = yield* Effect.forEach(both, (organization) => receive(organization, { messageId }))
      const parents = yield* Effect.forEach(both, (organization) =>
        Effect.flatMap(receive(organization, { inReplyTo: [messageId] }), (id) => find(organization, id))
      )
      assert.deepStrictEqual(
        parents.map(({ parentMessageId }) => parentMessageId),
        copies
      )
    })
  )

  it.effect("matches a reply by subject and correspondent for a week", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const sql = yield* SqlClient.SqlClient
      const [question] = [
        yield* sendToAda(organization, "Your order [1815]"),
        yield* sendToAda(organization, "Your receipt")
      ]
      const parentOfReply = (subject: string, from = "ada@example.com") =>
        receive(organization, { subject, from: { name: "", address: from } }).pipe(
          Effect.flatMap((id) => find(organization, id)),
          Effect.map(({ parentMessageId }) => parentMessageId)
        )
      assert.isNull(yield* parentOfReply("Your order [1815]"))
      assert.isNull(yield* parentOfReply("AW: Your order [1816]"))
      assert.isNull(yield* parentOfReply("Re: Your order [1815]", "bob@example.com"))
      const reply = yield* receive(organization, { subject: "AW: Your  ORDER [1815]" })
      const found = yield* find(organization, reply)
      assert.notStrictEqual(found.parentMessageId, null)
      // The correspondent has written with the same subject: the latest message is the parent.
      assert.strictEqual(yield* parentOfReply("Re: AW: Your order [1815]"), reply)
      assert.strictEqual((yield* find(organization, question.id)).id, question.id)
      // Eight days later the subject does not match.
      const mail = yield* inboundMail(organization)
      const { receive: take } = yield* ReceivedMessages
      yield* take(
        { ...mail, receivedAt: DateTime.add(mail.receivedAt, { days: 8 }) },
        readMail({ subject: "Re: Your receipt" }),
        authentication
      )
      assert.isNull((yield* find(organization, mail.id)).parentMessageId)
      const [row] = yield* sql<{ n: number }>`SELECT count(*)::int AS n FROM participants
        WHERE organization_id = ${organization} AND lower(name) = 'ada@example.com'`
      assert.strictEqual(row?.n, 1)
    })
  )

  it.effect("reopens a resolved or archived conversation for a reply written by a person", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const question = yield* sendToAda(organization)
      const inReplyTo = [question.emailMetadata?.messageId ?? ""]
      const { conversationId } = yield* received(organization, { inReplyTo })
      assert.isNotNull(conversationId)
      if (conversationId === null) return
      for (const status of ["resolved", "archived"]) {
        yield* resolve(organization, conversationId, status)
        const headers = [{ name: "auto-submitted", value: "auto-replied" }]
        const id = yield* receive(organization, { inReplyTo, headers })
        const automatic = yield* find(organization, id)
        assert.isTrue(automatic.isAutomated)
        assert.strictEqual(automatic.conversationId, conversationId)
        assert.strictEqual(yield* statusOf(organization, conversationId), status)
        yield* receive(organization, { inReplyTo })
        assert.strictEqual(yield* statusOf(organization, conversationId), "active")
      }
      const reopened = (yield* eventsOf(organization)).filter(({ type }) => type === "conversation.reopened")
      assert.lengthOf(reopened, 2)
      assert.deepInclude(reopened[0]?.data, { id: conversationId, status: "active" })
      for (const field of ["resolvedAt", "resolvedBy", "resolutionType", "resolutionNotes", "archivedAt"]) {
        assert.notProperty(reopened[0]?.data, field)
      }
    })
  )

  it.effect("uses the envelope sender, or an unknown sender, if From is not an address", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const from = { name: "Müller", address: "not an address" }
      const byPath = yield* received(organization, { from })
      assert.deepStrictEqual(byPath.fromParticipant?.channelIdentities, { email: ["ada@example.com"] })
      assert.strictEqual(byPath.content.from, "Müller <not an address>")
      const unknown = yield* received(organization, { from }, { mailFrom: "" })
      assert.deepInclude(unknown.fromParticipant, { name: "Müller", type: "contact", channelIdentities: {} })
      assert.isTrue(unknown.isAutomated)
      const anonymous = yield* received(
        organization,
        { from: { name: "", address: "" }, messageId: "" },
        { mailFrom: "" }
      )
      assert.strictEqual(anonymous.fromParticipant?.name, "Unknown sender")
      assert.strictEqual(anonymous.emailMetadata?.messageId, "")
    })
  )

  it.effect("adds the display name to a contact known only by its address", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const question = yield* sendToAda(organization)
      const named = yield* received(organization)
      assert.deepStrictEqual(named.fromParticipantId, question.toParticipantIds[0])
      assert.deepInclude(named.fromParticipant, { name: "ada@example.com", displayName: "Ada Lovelace" })
      const other = { from: { name: "Someone Else", address: "ada@example.com" } }
      const renamed = yield* received(organization, other)
      assert.deepInclude(renamed.fromParticipant, { displayName: "Ada Lovelace" })
      // The organization's own senders keep their names.
      const own = yield* received(organization, { from: { name: "X", address: "us@localhost.test" } })
      assert.deepInclude(own.fromParticipant, { name: "Us", displayName: null, type: "sender" })
    })
  )

  it.effect("accepts and truncates oversized and hostile header values", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const long = (n: number) => "x".repeat(n)
      const id = yield* receive(
        organization,
        {
          subject: long(100_000),
          messageId: `<${long(5_000)}@x>`,
          inReplyTo: [`<${long(5_000)}@x>`],
          references: Array.from({ length: 5_000 }, (_, n) => `<${n}@x>`),
          from: { name: long(10_000), address: "ada@example.com" },
          to: Array.from({ length: 5_000 }, (_, n) => ({ name: "", address: `${n}@x` })),
          cc: [{ name: "", address: '"; DROP TABLE messages; --' }]
        },
        { recipients: [help, help] }
      )
      const message = yield* find(organization, id)
      const { cc, headers, messageId, to } = message.emailMetadata ?? assert.fail("not an e-mail")
      assert.strictEqual(messageId, "")
      assert.lengthOf(to, 200)
      assert.deepStrictEqual(cc, ['"; DROP TABLE messages; --'])
      const references = (headers.References ?? "").split(" ")
      assert.deepStrictEqual([references.length, references[0], references.at(-1)], [100, "<0@x>", "<4999@x>"])
      assert.notProperty(headers, "In-Reply-To")
      assert.lengthOf(message.toParticipantIds, 1)
      assert.isAtMost(message.fromParticipant?.name.length ?? 0, 200)
      const [event] = yield* eventsOf(organization)
      assert.isBelow(JSON.stringify(event).length, 25_000)
    })
  )
})
