import { assert, layer } from "@effect/vitest"
import { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import { Conversation } from "@switchboard/domain/conversations/Conversation"
import type { CreateConversation, UpdateConversation } from "@switchboard/domain/conversations/ConversationRequests"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { maxEventBytes, withinEventSize } from "@switchboard/domain/events/EventSize"
import { ConversationId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { ParticipantId } from "@switchboard/domain/participants/Participant"
import { Conversations } from "@switchboard/services/conversations/Conversations"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { OrganizationRepo } from "@switchboard/services/organizations/OrganizationRepo"
import { Participants } from "@switchboard/services/participants/Participants"
import { receive } from "@switchboard/store/testing/email/receiving/MailFixtures"
import { makeOrganization, newMessage } from "@switchboard/store/testing/messages/Fixtures"
import { eventTypes, storedEvents } from "@switchboard/store/testing/StoredRows"
import { Array, Effect, Either, Schema } from "effect"
import { v7 } from "uuid"
import { MailLive } from "../messages/MailLive.js"

const apiKeyId = ApiKeyId.make(v7())
const all = { page: 1, limit: 100 }

const create = (organizationId: OrganizationId, given: Partial<CreateConversation> = {}) =>
  Effect.flatMap(Conversations, (conversations) =>
    conversations.create({ organizationId, apiKeyId }, { channels: ["email"], ...given })
  )

const update = (organizationId: OrganizationId, { id }: { readonly id: ConversationId }, given: UpdateConversation) =>
  Effect.flatMap(Conversations, (conversations) => conversations.update({ organizationId, apiKeyId }, id, given))

const get = (organization: OrganizationId, { id }: { readonly id: ConversationId }) =>
  Effect.flatMap(Conversations, (conversations) => conversations.get(organization, id))

const createParticipants = (organization: OrganizationId, ...names: ReadonlyArray<string>) =>
  Effect.forEach(names, (name) =>
    Effect.flatMap(Participants, (participants) =>
      Effect.map(
        participants.create(organization, { name, email: Schema.decodeSync(EmailAddress)(`${name}@example.com`) }),
        ({ id }) => id
      )
    )
  )

/** The JSON that the API returns. */
const encoded = (conversation: Conversation) =>
  JSON.parse(JSON.stringify(Schema.encodeSync(Conversation)(conversation)))

const tracked = ({ participantTracking }: Conversation): ReadonlyArray<Record<string, unknown>> =>
  JSON.parse(participantTracking).participants

const namesOf = (conversation: Conversation) => tracked(conversation).map(({ name }) => name)

/** The types of the conversation events of an organization, in order. */
const conversationTypes = (organization: OrganizationId) =>
  Effect.map(eventTypes(organization, "conversation."), (types) =>
    types.map((type) => type.slice("conversation.".length))
  )

layer(MailLive, { excludeTestServices: true })("Conversations on PostgreSQL", (it) => {
  it.effect("stores the given fields, records an event and counts usage", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const [ada, bob] = yield* createParticipants(own, "ada", "bob")
      const above = yield* create(own)
      const given = {
        title: "Where is my order?",
        description: "It has not arrived",
        externalId: "ticket-1815",
        parentConversationId: above.id,
        channels: ["email", "sms"] as const,
        primaryChannel: "sms" as const,
        statusReason: "New",
        priority: 4,
        urgency: "critical" as const,
        complexity: "complex" as const,
        metadata: '{"a": 1}',
        context: "[1,2]",
        tags: ["orders"],
        categories: ["support"],
        isTest: true,
        isInternal: true,
        isPrivate: true
      }
      const created = yield* create(own, { ...given, participantIds: [ada, bob, ada].flatMap((id) => id ?? []) })
      assert.deepInclude(encoded(created), {
        ...given,
        channels: ["email", "sms"],
        status: "active",
        createdBy: apiKeyId
      })
      assert.deepStrictEqual(namesOf(created), ["ada", "bob"])
      assert.deepStrictEqual(JSON.parse(created.metrics), { messageCount: 0, inboundCount: 0, outboundCount: 0 })
      assert.deepStrictEqual(encoded(yield* get(own, created)), encoded(created))
      assert.deepInclude(encoded(above), {
        status: "active",
        priority: 2,
        urgency: "low",
        complexity: "simple",
        primaryChannel: "email"
      })
      assert.deepStrictEqual(yield* conversationTypes(own), ["created", "created"])
      const events = yield* storedEvents(own, "conversation.")
      assert.deepStrictEqual(events[1]?.data, encoded(created))
      const { conversationsUsed } = yield* Effect.flatten(
        Effect.flatMap(OrganizationRepo, ({ findWithUsage }) => findWithUsage(own))
      )
      assert.strictEqual(conversationsUsed, 2)
    })
  )

  it.effect("updates only the given fields and records one event for each change", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const created = yield* create(own, { title: "One", description: "Two", tags: ["a"], metadata: "{}" })
      assert.deepStrictEqual(encoded(yield* update(own, created, {})), encoded(created))
      assert.deepStrictEqual(encoded(yield* update(own, created, { title: "One", tags: ["a"] })), encoded(created))
      const changed = yield* update(own, created, { title: null, metadata: null, channels: ["sms", "voice"] })
      assert.deepStrictEqual(encoded(yield* get(own, created)), encoded(changed))
      assert.notProperty(encoded(changed), "title")
      assert.notProperty(encoded(changed), "metadata")
      assert.deepInclude(encoded(changed), { description: "Two", primaryChannel: "sms" })
      const resolved = yield* update(own, created, { status: "resolved", resolutionType: "automated" })
      assert.deepInclude(encoded(resolved), { resolvedBy: apiKeyId, resolutionType: "automated" })
      assert.property(encoded(resolved), "resolvedAt")
      const open = yield* update(own, created, { status: "active" })
      for (const field of ["resolvedAt", "resolvedBy", "resolutionType"]) assert.notProperty(encoded(open), field)
      assert.deepStrictEqual(yield* conversationTypes(own), [
        "created",
        "updated",
        "updated",
        "resolved",
        "updated",
        "reopened"
      ])
      for (const [request, field] of [
        [{ primaryChannel: "email" }, "primaryChannel"],
        [{ resolutionType: "spam" }, "resolutionType"],
        [{ status: "archived", resolutionNotes: "x" }, "resolutionNotes"]
      ] as const) {
        const refused = yield* Effect.flip(update(own, created, request))
        assert.deepStrictEqual("fields" in refused ? Object.keys(refused.fields ?? {}) : [], [field])
      }
      assert.deepStrictEqual(encoded(yield* get(own, created)), encoded(open))
    })
  )

  it.effect("rejects a cycle of parents, also with concurrent updates", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const top = yield* create(own)
      const middle = yield* create(own, { parentConversationId: top.id })
      const bottom = yield* create(own, { parentConversationId: middle.id })
      for (const parent of [top, bottom]) {
        const refused = yield* Effect.flip(update(own, top, { parentConversationId: parent.id }))
        assert.strictEqual(refused._tag, "ValidationError")
      }
      const unknown = ConversationId.make(v7())
      for (const attempt of [
        create(own, { parentConversationId: unknown }),
        update(own, top, { parentConversationId: unknown })
      ]) {
        assert.deepInclude(yield* Effect.flip(attempt), { resource: "conversation", id: unknown })
      }
      assert.notProperty(encoded(yield* update(own, bottom, { parentConversationId: null })), "parentConversationId")
      const race = Effect.gen(function* () {
        const [left, right] = [yield* create(own), yield* create(own)]
        const raced = yield* Effect.all(
          [
            Effect.either(update(own, left, { parentConversationId: right.id })),
            Effect.either(update(own, right, { parentConversationId: left.id }))
          ],
          { concurrency: 2 }
        )
        return raced.filter(Either.isRight).length
      })
      const winners = yield* Effect.replicateEffect(race, 8, { concurrency: 4 })
      assert.deepStrictEqual(new Set(winners), new Set([1]))
    })
  )

  it.effect("adds and removes participants of the same organization, each once", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const other = yield* makeOrganization()
      const { addParticipants, removeParticipants } = yield* Conversations
      const created = yield* create(own)
      const [ada, bob] = yield* createParticipants(own, "ada", "bob")
      const [eve] = yield* createParticipants(other, "eve")
      if (ada === undefined || bob === undefined || eve === undefined) return
      assert.deepStrictEqual(namesOf(yield* addParticipants(own, created.id, [ada, bob])), ["ada", "bob"])
      const again = yield* addParticipants(own, created.id, [bob, bob])
      assert.deepStrictEqual(namesOf(again), ["ada", "bob"])
      assert.deepStrictEqual(namesOf(yield* removeParticipants(own, created.id, [ada])), ["bob"])
      assert.deepStrictEqual(namesOf(yield* removeParticipants(own, created.id, [ada])), ["bob"])
      for (const id of [eve, ParticipantId.make(v7())]) {
        for (const move of [addParticipants, removeParticipants]) {
          const refused = yield* Effect.flip(move(own, created.id, [ada, id]))
          assert.deepInclude(refused, { _tag: "ResourceNotFoundError", resource: "participant", id })
        }
        const refused = yield* Effect.flip(create(own, { participantIds: [id] }))
        assert.deepInclude(refused, { _tag: "ResourceNotFoundError", resource: "participant", id })
      }
      assert.deepStrictEqual(namesOf(yield* get(own, created)), ["bob"])
      assert.deepStrictEqual(yield* conversationTypes(own), ["created", "participant_added", "participant_removed"])
    })
  )

  it.effect("computes message counts, activity times and the average response time", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const { accept, find } = yield* MessageRepo
      const question = yield* receive(own)
      const message = yield* Effect.flatten(find(own, question))
      const conversationId = message.conversationId ?? ConversationId.make(v7())
      const reply = yield* newMessage(own, { to: ["ada@example.com", "cyd@example.com"] })
      const { message: sent } = yield* accept({ ...reply, facts: { ...reply.facts, conversationId } })
      const inReplyTo = [message.emailMetadata?.messageId ?? ""]
      const note = yield* Effect.flatten(
        find(own, yield* receive(own, { inReplyTo, headers: [{ name: "auto-submitted", value: "auto-replied" }] }))
      )
      const conversation = yield* get(own, { id: conversationId })
      const { averageResponseSeconds, ...counts } = JSON.parse(conversation.metrics)
      assert.deepStrictEqual(counts, { messageCount: 3, inboundCount: 2, outboundCount: 1 })
      assert.approximately(
        averageResponseSeconds,
        (sent.createdAt.epochMillis - message.createdAt.epochMillis) / 1000,
        0.0011
      )
      assert.isTrue(note.isAutomated)
      assert.strictEqual(conversation.lastActivityAt?.epochMillis, note.createdAt.epochMillis)
      assert.strictEqual(conversation.lastHumanActivityAt?.epochMillis, message.createdAt.epochMillis)
      const [ada, ...rest] = tracked(conversation).filter(({ name }) => name === "Ada Lovelace")
      assert.deepInclude(ada, { messageCount: 2, lastMessageAt: JSON.parse(JSON.stringify(note.createdAt)) })
      assert.isEmpty(rest)
    })
  )

  it.effect("lists conversations newest first, filtered, with the exact total", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const { list } = yield* Conversations
      const [ada] = yield* createParticipants(own, "ada")
      const participantIds = Array.fromNullable(ada)
      yield* create(own, { title: "One fish", tags: ["a"], priority: 0, participantIds })
      yield* create(own, { title: "Two fish", tags: ["a", "b"], channels: ["sms", "email"] })
      const last = yield* create(own, { description: "Red FISH", channels: ["voice"], status: "resolved" })
      const found = (filters: Parameters<typeof list>[1], page = all) =>
        Effect.map(list(own, filters, page), ({ items, pagination }) => [
          items.map(({ description, title }) => title ?? description),
          pagination.total
        ])
      assert.deepStrictEqual(yield* found({}), [["Red FISH", "Two fish", "One fish"], 3])
      assert.deepStrictEqual(yield* found({}, { page: 2, limit: 2 }), [["One fish"], 3])
      assert.deepStrictEqual(yield* found({ status: "active" }), [["Two fish", "One fish"], 2])
      assert.deepStrictEqual(yield* found({ channel: "email" }), [["Two fish", "One fish"], 2])
      assert.deepStrictEqual(yield* found({ priority: 0 }), [["One fish"], 1])
      assert.deepStrictEqual(yield* found({ tag: "b" }), [["Two fish"], 1])
      assert.deepStrictEqual(yield* found({ tag: "a", channel: "sms" }), [["Two fish"], 1])
      assert.deepStrictEqual(yield* found({ channel: "email", priority: 0, status: "active" }), [["One fish"], 1])
      assert.deepStrictEqual(yield* found({ tag: "b", status: "resolved" }), [[], 0])
      assert.deepStrictEqual(yield* found({ search: "red fish" }), [["Red FISH"], 1])
      assert.deepStrictEqual(yield* found({ search: "%" }), [[], 0])
      assert.deepStrictEqual(yield* found({ participantId: ada ?? ParticipantId.make(v7()) }), [["One fish"], 1])
      assert.deepStrictEqual(yield* found({ participantId: ParticipantId.make(v7()) }), [[], 0])
      const both = { participantId: ada ?? ParticipantId.make(v7()), tag: "a" }
      assert.deepStrictEqual(yield* found(both), [["One fish"], 1])
      assert.deepStrictEqual(yield* found({ ...both, search: "two" }), [[], 0])
      assert.deepStrictEqual(yield* found({ ...both, channel: "email" }), [["One fish"], 1])
      assert.deepStrictEqual(yield* found({ ...both, channel: "email", status: "resolved" }), [[], 0])
      assert.deepStrictEqual(yield* found({ ...both, channel: "sms" }), [[], 0])
      assert.deepStrictEqual(yield* found({ tag: "a", channel: "email" }, { page: 2, limit: 1 }), [["One fish"], 2])
      assert.deepStrictEqual(encoded((yield* list(own, {}, all)).items[0] ?? last), encoded(last))
      assert.deepStrictEqual(yield* conversationTypes(own), ["created", "created", "created", "resolved"])
    })
  )

  it.effect("keeps the event of a large conversation within the event size limit", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const participantIds = yield* createParticipants(own, ...Array.makeBy(100, (n) => `p${n}${"x".repeat(50)}`))
      const json = JSON.stringify("x".repeat(4_000))
      yield* create(own, {
        title: "é".repeat(200),
        description: "é".repeat(2_000),
        metadata: json,
        context: json,
        participantIds
      })
      const [event] = yield* storedEvents(own, "conversation.")
      const data = withinEventSize(event?.data)
      assert.isBelow(JSON.stringify(data).length, maxEventBytes)
      assert.strictEqual((yield* Schema.decodeUnknown(Conversation)(data)).title, "é".repeat(200))
    })
  )
})
