import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import { ConversationId, type Message, type MessageId } from "@switchboard/domain/messages/Message"
import type { EmailSend } from "@switchboard/domain/messages/SendRequest"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { ParticipantId } from "@switchboard/domain/participants/Participant"
import { Conversations } from "@switchboard/services/conversations/Conversations"
import { type Accepted, decodeMessage, MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { Messages } from "@switchboard/services/messages/Messages"
import { Participants } from "@switchboard/services/participants/Participants"
import { address, receive } from "@switchboard/store/testing/email/receiving/MailFixtures"
import { makeOrganization } from "@switchboard/store/testing/messages/Fixtures"
import { eventTypes } from "@switchboard/store/testing/StoredRows"
import { Array, Effect } from "effect"
import { v7 } from "uuid"
import { MailLive } from "../messages/MailLive.js"
import { callerOf } from "../messages/MessagesLive.js"

const apiKeyId = ApiKeyId.make(v7())

const send = (organizationId: OrganizationId, given: Partial<EmailSend>, isBatch = false) =>
  Effect.flatMap(Messages, (messages) => {
    const request: EmailSend = {
      channel: "email",
      to: [{ email: address("ada@example.com") }],
      email: { subject: "Your order", html: "<p>Hello</p>" },
      ...given
    }
    return messages.send(callerOf(organizationId), request, isBatch)
  })

const createConversation = (organizationId: OrganizationId) =>
  Effect.flatMap(Conversations, (conversations) =>
    conversations.create({ organizationId, apiKeyId }, { channels: ["email"] })
  )

const find = (organization: OrganizationId, id: MessageId) =>
  Effect.flatMap(MessageRepo, (repo) => Effect.flatten(repo.find(organization, id)))

/** The names of the participants, sorted. */
const participantNames = (organization: OrganizationId, id: ConversationId) =>
  Effect.flatMap(Conversations, (conversations) =>
    Effect.map(conversations.get(organization, id), ({ participantTracking }) =>
      JSON.parse(participantTracking)
        .participants.map(({ name }: { readonly name: string }) => name)
        .sort()
    )
  )

const conversationTypes = (organization: OrganizationId) =>
  Effect.map(eventTypes(organization, "conversation."), (types) =>
    types.map((type) => type.slice("conversation.".length))
  )

const placeOf = ({ conversationId, threadId }: Message) => ({ conversationId, threadId })

layer(MailLive, { excludeTestServices: true })("Messages in conversations, on PostgreSQL", (it) => {
  it.effect("assigns a message to its conversation and adds sender and recipients as participants once", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const { id: conversationId } = yield* createConversation(own)
      const given = { conversationId, cc: [{ email: address("bob@example.com") }], idempotencyKey: "once" }
      const { message } = yield* send(own, given)
      assert.deepStrictEqual(placeOf(message), { conversationId, threadId: null })
      assert.deepStrictEqual(placeOf(yield* find(own, message.id)), { conversationId, threadId: null })
      assert.deepStrictEqual(yield* participantNames(own, conversationId), [
        "Ada's",
        "ada@example.com",
        "bob@example.com"
      ])
      assert.isTrue((yield* send(own, given)).replayed)
      yield* send(own, { conversationId, email: { subject: "Another", html: "<p>Hello</p>" } })
      assert.deepStrictEqual(yield* conversationTypes(own), ["created", "participant_added"])
      const alone = yield* send(own, { email: { subject: "Outside", html: "<p>Hello</p>" } })
      assert.deepStrictEqual(placeOf(alone.message), { conversationId: null, threadId: null })
      const { list } = yield* MessageRepo
      const { items, pagination } = yield* list(own, { conversationId }, { page: 1, limit: 1 })
      assert.propertyVal(items.map((item) => decodeMessage(item).content)[0], "subject", "Another")
      assert.strictEqual(pagination.total, 2)
    })
  )

  it.effect("adds each new participant once with concurrent sends", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const [one, two] = [yield* createConversation(own), yield* createConversation(own)]
      const sends = yield* Effect.forEach(
        Array.range(1, 40),
        (n) =>
          send(own, {
            to: [{ email: address(`nr${n % 7}@example.com`) }, { email: address(`nr${n % 5}@example.org`) }],
            conversationId: n % 2 === 0 ? one.id : two.id,
            idempotencyKey: `nr ${n % 30}`,
            referenceId: `nr ${n % 30}`,
            email: { subject: `Nr ${n % 30}`, html: "<p>Hello</p>" }
          }).pipe(Effect.either),
        { concurrency: "unbounded" }
      )
      assert.isAtLeast(sends.filter(({ _tag }) => _tag === "Right").length, 30)
      for (const { id } of [one, two]) assert.lengthOf(yield* participantNames(own, id), 13)
    })
  )

  it.effect("assigns a reply to the conversation and reopens a resolved one", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const { get, update } = yield* Conversations
      const { id: conversationId } = yield* createConversation(own)
      const { message } = yield* send(own, { conversationId })
      const inReplyTo = [message.emailMetadata?.messageId ?? ""]
      // Waiting counts as open, so the status does not change.
      yield* update({ organizationId: own, apiKeyId }, conversationId, { status: "waiting" })
      yield* receive(own, { inReplyTo })
      assert.strictEqual((yield* get(own, conversationId)).status, "waiting")
      yield* update({ organizationId: own, apiKeyId }, conversationId, { status: "resolved" })
      const reply = yield* find(own, yield* receive(own, { inReplyTo }))
      assert.strictEqual(reply.conversationId, conversationId)
      assert.isNotNull(reply.threadId)
      assert.deepStrictEqual(placeOf(yield* find(own, message.id)), placeOf(reply))
      const conversation = yield* get(own, conversationId)
      assert.deepStrictEqual([conversation.status, conversation.resolvedAt], ["active", undefined])
      assert.deepStrictEqual(
        (yield* conversationTypes(own)).filter((type) => type !== "participant_added"),
        ["created", "updated", "updated", "resolved", "reopened"]
      )
    })
  )

  it.effect("rejects a conversation that is unknown or of another organization", () =>
    Effect.gen(function* () {
      const [own, other] = yield* Effect.all([makeOrganization(), makeOrganization()])
      const { id: foreign } = yield* createConversation(other)
      for (const conversationId of [foreign, ConversationId.make(v7())]) {
        const refused = yield* Effect.flip(send(own, { conversationId }))
        assert.deepInclude(refused, { _tag: "ResourceNotFoundError", resource: "conversation", id: conversationId })
      }
      const { list } = yield* MessageRepo
      assert.strictEqual((yield* list(own, {}, { page: 1, limit: 1 })).pagination.total, 0)
    })
  )

  it.effect("puts marketing and the sends of a batch behind others", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const sql = yield* SqlClient.SqlClient
      const lanes: Array<unknown> = []
      for (const [categories, isBatch] of [
        [["news"], false],
        [["news", "marketing"], false],
        [["news"], true]
      ] as const) {
        const { message } = yield* send(own, { categories, email: { subject: v7(), html: "<p>Hello</p>" } }, isBatch)
        lanes.push(...(yield* sql`SELECT lane FROM message_queue WHERE message_id = ${message.id}`))
      }
      assert.deepStrictEqual(lanes, [{ lane: 0 }, { lane: 1 }, { lane: 1 }])
    })
  )

  it.effect("sends to the address of a contact", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const { create } = yield* Participants
      const ada = yield* create(own, { name: "Ada", email: address("Ada@example.com") })
      const withoutEmail = yield* create(own, { name: "Mute", phone: "+4930123456" })
      // No repository is required.
      const sending: Effect.Effect<Accepted, unknown, Messages> = send(own, {
        to: [{ contactId: ada.id }, { contactId: ada.id }]
      })
      const { message } = yield* sending
      assert.deepStrictEqual([message.toParticipantIds, message.emailMetadata?.to], [[ada.id], ["ada@example.com"]])
      const invalid = yield* Effect.flip(send(own, { to: [{ contactId: withoutEmail.id }] }))
      assert.deepInclude(invalid, { fields: { "to.0.contactId": ["is a contact without an email address"] } })
      const unknown = ParticipantId.make(v7())
      const absent = yield* Effect.flip(send(own, { to: [{ contactId: unknown }] }))
      assert.deepInclude(absent, { _tag: "ResourceNotFoundError", resource: "participant", id: unknown })
    })
  )
})
