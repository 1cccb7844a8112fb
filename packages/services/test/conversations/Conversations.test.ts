import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import { Conversation } from "@switchboard/domain/conversations/Conversation"
import type { CreateConversation, UpdateConversation } from "@switchboard/domain/conversations/ConversationRequests"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { mostEventBytes, withinEventSize } from "@switchboard/domain/events/EventSize"
import { ConversationId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { ParticipantId } from "@switchboard/domain/participants/Participant"
import { Conversations } from "@switchboard/services/conversations/Conversations"
import { ReceivedMessages } from "@switchboard/services/email/receiving/ReceivedMessages"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { OrganizationRepo } from "@switchboard/services/organizations/OrganizationRepo"
import { Participants } from "@switchboard/services/participants/Participants"
import { ConversationRepoSql } from "@switchboard/store/conversations/ConversationRepoSql"
import { ReceivedMessageRepoSql } from "@switchboard/store/email/receiving/ReceivedMessageRepoSql"
import { MessageRepoSql } from "@switchboard/store/messages/MessageRepoSql"
import { OrganizationRepoSql } from "@switchboard/store/organizations/OrganizationRepoSql"
import { ParticipantRepoSql } from "@switchboard/store/participants/ParticipantRepoSql"
import { receive } from "@switchboard/store/testing/email/receiving/MailFixtures"
import { makeOrganization, newMessage } from "@switchboard/store/testing/messages/Fixtures"
import { TestDatabase, TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Array, Effect, Either, Layer, Schema } from "effect"
import { v7 } from "uuid"
import { objectsInMemory } from "../objects/ObjectsInMemory.js"

const Live = Layer.mergeAll(Conversations.Default, Participants.Default, ReceivedMessages.Default).pipe(
  Layer.provide(Layer.mergeAll(objectsInMemory(), ReceivedMessageRepoSql, ParticipantRepoSql)),
  Layer.provide(ConversationRepoSql),
  Layer.provideMerge(Layer.merge(MessageRepoSql, OrganizationRepoSql)),
  Layer.provideMerge(TestDatabase),
  Layer.provideMerge(TestDatabaseUrl.Live)
)

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

const people = (organization: OrganizationId, ...names: ReadonlyArray<string>) =>
  Effect.forEach(names, (name) =>
    Effect.flatMap(Participants, (participants) =>
      Effect.map(
        participants.create(organization, { name, email: Schema.decodeSync(EmailAddress)(`${name}@example.com`) }),
        ({ id }) => id
      )
    )
  )

/** As a caller sees it. */
const shown = (conversation: Conversation) => JSON.parse(JSON.stringify(Schema.encodeSync(Conversation)(conversation)))

const tracked = ({ participantTracking }: Conversation): ReadonlyArray<Record<string, unknown>> =>
  JSON.parse(participantTracking).participants

const namesOf = (conversation: Conversation) => tracked(conversation).map(({ name }) => name)

/** What was told of an organization's conversations, as subscribers get it. */
const told = (organization: OrganizationId) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ type: string; data: object }>`SELECT type, data FROM events
        WHERE organization_id = ${organization} AND type LIKE 'conversation.%' ORDER BY id`,
      (rows) => rows.map(({ data, type }) => ({ type: type.slice("conversation.".length), data }))
    )
  )

const typesTold = (organization: OrganizationId) =>
  Effect.map(told(organization), (events) => events.map(({ type }) => type))

layer(Live, { timeout: "300 seconds", excludeTestServices: true })("Conversations on PostgreSQL", (it) => {
  it.effect("are kept as they were given, and told as they are read", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const [ada, bob] = yield* people(own, "ada", "bob")
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
      const made = yield* create(own, { ...given, participantIds: [ada, bob, ada].flatMap((id) => id ?? []) })
      assert.deepInclude(shown(made), { ...given, channels: ["email", "sms"], status: "active", createdBy: apiKeyId })
      assert.deepStrictEqual(namesOf(made), ["ada", "bob"])
      assert.deepStrictEqual(JSON.parse(made.metrics), { messageCount: 0, inboundCount: 0, outboundCount: 0 })
      assert.deepStrictEqual(shown(yield* get(own, made)), shown(made))
      assert.deepInclude(shown(above), {
        status: "active",
        priority: 2,
        urgency: "low",
        complexity: "simple",
        primaryChannel: "email"
      })
      const events = yield* told(own)
      assert.deepStrictEqual(
        events.map(({ type }) => type),
        ["created", "created"]
      )
      assert.deepStrictEqual(events[1]?.data, shown(made))
      const { conversationsUsed } = yield* Effect.flatten(
        Effect.flatMap(OrganizationRepo, ({ findWhole }) => findWhole(own))
      )
      assert.strictEqual(conversationsUsed, 2)
    })
  )

  it.effect("change in what is given, tell each change once, and nothing where nothing changes", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const made = yield* create(own, { title: "One", description: "Two", tags: ["a"], metadata: "{}" })
      assert.deepStrictEqual(shown(yield* update(own, made, {})), shown(made))
      assert.deepStrictEqual(shown(yield* update(own, made, { title: "One", tags: ["a"] })), shown(made))
      const changed = yield* update(own, made, { title: null, metadata: null, channels: ["sms", "voice"] })
      assert.deepStrictEqual(shown(yield* get(own, made)), shown(changed))
      assert.notProperty(shown(changed), "title")
      assert.notProperty(shown(changed), "metadata")
      assert.deepInclude(shown(changed), { description: "Two", primaryChannel: "sms" })
      const resolved = yield* update(own, made, { status: "resolved", resolutionType: "automated" })
      assert.deepInclude(shown(resolved), { resolvedBy: apiKeyId, resolutionType: "automated" })
      assert.property(shown(resolved), "resolvedAt")
      const open = yield* update(own, made, { status: "active" })
      for (const field of ["resolvedAt", "resolvedBy", "resolutionType"]) assert.notProperty(shown(open), field)
      assert.deepStrictEqual(yield* typesTold(own), [
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
        const refused = yield* Effect.flip(update(own, made, request))
        assert.deepStrictEqual("fields" in refused ? Object.keys(refused.fields ?? {}) : [], [field])
      }
      assert.deepStrictEqual(shown(yield* get(own, made)), shown(open))
    })
  )

  it.effect("stand below one another, never below themselves, whoever asks at once", () =>
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
      for (const asked of [
        create(own, { parentConversationId: unknown }),
        update(own, top, { parentConversationId: unknown })
      ]) {
        assert.deepInclude(yield* Effect.flip(asked), { resource: "conversation", id: unknown })
      }
      assert.notProperty(shown(yield* update(own, bottom, { parentConversationId: null })), "parentConversationId")
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

  it.effect("gain and lose participants, once each, whom the organization knows", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const other = yield* makeOrganization()
      const { addParticipants, removeParticipants } = yield* Conversations
      const made = yield* create(own)
      const [ada, bob] = yield* people(own, "ada", "bob")
      const [eve] = yield* people(other, "eve")
      if (ada === undefined || bob === undefined || eve === undefined) return
      assert.deepStrictEqual(namesOf(yield* addParticipants(own, made.id, [ada, bob])), ["ada", "bob"])
      const again = yield* addParticipants(own, made.id, [bob, bob])
      assert.deepStrictEqual(namesOf(again), ["ada", "bob"])
      assert.deepStrictEqual(namesOf(yield* removeParticipants(own, made.id, [ada])), ["bob"])
      assert.deepStrictEqual(namesOf(yield* removeParticipants(own, made.id, [ada])), ["bob"])
      for (const id of [eve, ParticipantId.make(v7())]) {
        for (const move of [addParticipants, removeParticipants]) {
          const refused = yield* Effect.flip(move(own, made.id, [ada, id]))
          assert.deepInclude(refused, { _tag: "ResourceNotFoundError", resource: "participant", id })
        }
        const refused = yield* Effect.flip(create(own, { participantIds: [id] }))
        assert.deepInclude(refused, { _tag: "ResourceNotFoundError", resource: "participant", id })
      }
      assert.deepStrictEqual(namesOf(yield* get(own, made)), ["bob"])
      assert.deepStrictEqual(yield* typesTold(own), ["created", "participant_added", "participant_removed"])
    })
  )

  it.effect("tell what their messages say: who wrote, when, and how soon it was answered", () =>
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

  it.effect("are listed newest first, by what is asked for, with their exact number", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const { list } = yield* Conversations
      const [ada] = yield* people(own, "ada")
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
      assert.deepStrictEqual(yield* found({ search: "red fish" }), [["Red FISH"], 1])
      assert.deepStrictEqual(yield* found({ search: "%" }), [[], 0])
      assert.deepStrictEqual(yield* found({ participantId: ada ?? ParticipantId.make(v7()) }), [["One fish"], 1])
      assert.deepStrictEqual(yield* found({ participantId: ParticipantId.make(v7()) }), [[], 0])
      assert.deepStrictEqual(shown((yield* list(own, {}, all)).items[0] ?? last), shown(last))
      assert.deepStrictEqual(yield* typesTold(own), ["created", "created", "created", "resolved"])
    })
  )

  it.effect("are nobody else's", () =>
    Effect.gen(function* () {
      const [own, other] = yield* Effect.all([makeOrganization(), makeOrganization()])
      const conversations = yield* Conversations
      const [ada] = yield* people(other, "ada")
      const participants = Array.fromNullable(ada)
      const made = yield* create(own)
      for (const id of [made.id, ConversationId.make(v7())]) {
        for (const asked of [
          get(other, { id }),
          update(other, { id }, { title: "Mine" }),
          conversations.addParticipants(other, id, participants),
          conversations.removeParticipants(other, id, participants),
          create(other, { parentConversationId: id })
        ]) {
          const refused = yield* Effect.flip(asked)
          assert.deepInclude(refused, { _tag: "ResourceNotFoundError", resource: "conversation", id })
        }
      }
      assert.strictEqual((yield* conversations.list(other, {}, all)).pagination.total, 0)
      assert.deepStrictEqual(shown(yield* get(own, made)), shown(made))
    })
  )

  it.effect("are told within the size of events, and are conversations all the same", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const participantIds = yield* people(own, ...Array.makeBy(100, (n) => `p${n}${"x".repeat(50)}`))
      const json = JSON.stringify("x".repeat(4_000))
      yield* create(own, {
        title: "é".repeat(200),
        description: "é".repeat(2_000),
        metadata: json,
        context: json,
        participantIds
      })
      const [event] = yield* told(own)
      const data = withinEventSize(event?.data)
      assert.isBelow(JSON.stringify(data).length, mostEventBytes)
      assert.strictEqual((yield* Schema.decodeUnknown(Conversation)(data)).title, "é".repeat(200))
    })
  )
})
