import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { idsBefore } from "@switchboard/domain/email/send/ReplyHeaders"
import type { EmailMetadata, Message, MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Plan } from "@switchboard/domain/organizations/Plan"
import { ReceivedMessages } from "@switchboard/services/email/receiving/ReceivedMessages"
import { ThreadRepo } from "@switchboard/services/email/threads/ThreadRepo"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { Messages } from "@switchboard/services/messages/Messages"
import { ConversationRepoSql } from "@switchboard/store/conversations/ConversationRepoSql"
import { ReceivedMessageRepoSql } from "@switchboard/store/email/receiving/ReceivedMessageRepoSql"
import { SenderRepoSql } from "@switchboard/store/email/senders/SenderRepoSql"
import { ThreadRepoSql } from "@switchboard/store/email/threads/ThreadRepoSql"
import { MessageRepoSql } from "@switchboard/store/messages/MessageRepoSql"
import { OrganizationRepoSql } from "@switchboard/store/organizations/OrganizationRepoSql"
import { ParticipantRepoSql } from "@switchboard/store/participants/ParticipantRepoSql"
import { address, receive } from "@switchboard/store/testing/email/receiving/MailFixtures"
import { makeOrganization } from "@switchboard/store/testing/messages/Fixtures"
import { TestDatabase, TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Effect, Layer, Option } from "effect"
import { callerOf, MessagesLive } from "../../messages/MessagesLive.js"
import { objectsInMemory } from "../../objects/ObjectsInMemory.js"

const Live = Layer.merge(MessagesLive, ReceivedMessages.Default).pipe(
  Layer.provide(objectsInMemory()),
  Layer.provide(Layer.mergeAll(SenderRepoSql, ConversationRepoSql, ParticipantRepoSql, ReceivedMessageRepoSql)),
  Layer.provideMerge(Layer.mergeAll(MessageRepoSql, OrganizationRepoSql, ThreadRepoSql)),
  Layer.provideMerge(TestDatabase),
  Layer.provideMerge(TestDatabaseUrl.Live)
)

const send = (
  organizationId: OrganizationId,
  subject: string,
  inReplyToMessageId?: MessageId,
  idempotencyKey?: string
) =>
  Effect.flatMap(Messages, (messages) =>
    messages.send(callerOf(organizationId), {
      channel: "email",
      to: [{ email: address("ada@example.com") }],
      email: { subject, html: "<p>Hello</p>" },
      ...(inReplyToMessageId === undefined ? {} : { inReplyToMessageId }),
      ...(idempotencyKey === undefined ? {} : { idempotencyKey })
    })
  )

const find = (organization: OrganizationId, id: MessageId) =>
  Effect.flatMap(MessageRepo, (repo) => Effect.flatten(repo.find(organization, id)))

const threads = (organization: OrganizationId) =>
  Effect.flatMap(ThreadRepo, (repo) => repo.list(organization, {}, { page: 1, limit: 20 }))

const nothing: Pick<EmailMetadata, "headers" | "messageId"> = { headers: {}, messageId: "" }
const rfcId = ({ emailMetadata }: Message) => (emailMetadata ?? nothing).messageId
const refersTo = ({ emailMetadata }: Message) => idsBefore(emailMetadata ?? nothing)
const placeOf = ({ conversationId, threadId }: Message) => ({ conversationId, threadId })
const organizationOn = (plan: Plan) => makeOrganization(plan)

layer(Live, { timeout: "300 seconds", excludeTestServices: true })("Answers of ours, on PostgreSQL", (it) => {
  it.effect("belong where what they answer does, and make it an exchange, once", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const { message: first } = yield* send(organization, "Your order")
      assert.deepStrictEqual(placeOf(first), { conversationId: null, threadId: null })
      const sends = yield* Effect.replicateEffect(send(organization, "Re: Your order", first.id, "key"), 4, {
        concurrency: 4
      })
      assert.lengthOf(new Set(sends.map(({ message }) => message.id)), 1)
      const answer = sends[0]?.message ?? first
      assert.isNotNull(answer.threadId)
      assert.deepStrictEqual(placeOf(yield* find(organization, first.id)), placeOf(answer))
      assert.deepStrictEqual(placeOf(yield* find(organization, answer.id)), placeOf(answer))
      const { items, pagination } = yield* threads(organization)
      assert.deepStrictEqual([pagination.total, items[0]?.messageCount], [1, 2])
      const again = yield* send(organization, "Re: Your order", first.id, "key")
      assert.isTrue(again.replayed)
      assert.deepStrictEqual(placeOf(again.message), placeOf(answer))
      assert.strictEqual((yield* threads(organization)).pagination.total, 1)
    })
  )

  it.effect("that are refused as another send's key begin nothing", () =>
    Effect.gen(function* () {
      const organization = yield* organizationOn("free")
      const { message: first } = yield* send(organization, "Your order", undefined, "key")
      const refused = yield* Effect.flip(send(organization, "Re: Your order", first.id, "key"))
      assert.strictEqual(refused._tag, "ConflictError")
      assert.strictEqual((yield* threads(organization)).pagination.total, 0)
    })
  )

  it.effect("that are beyond the plan begin nothing", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const organization = yield* organizationOn("free")
      const { message: first } = yield* send(organization, "Your order")
      yield* sql`UPDATE organization_usage SET messages_used_this_month = 1000000 WHERE organization_id = ${organization}`
      for (let round = 0; round < 2; round++) {
        assert.strictEqual(
          (yield* Effect.flip(send(organization, "Re: Your order", first.id)))._tag,
          "PaymentRequiredError"
        )
      }
      assert.deepStrictEqual(placeOf(yield* find(organization, first.id)), { conversationId: null, threadId: null })
      assert.strictEqual((yield* threads(organization)).pagination.total, 0)
      const told =
        yield* sql`SELECT 1 FROM events WHERE organization_id = ${organization} AND type LIKE 'conversation.%'`
      const begun = yield* sql`SELECT 1 FROM conversations WHERE organization_id = ${organization}`
      assert.deepStrictEqual([told, begun], [[], []])
      yield* sql`UPDATE organization_usage SET messages_used_this_month = 1 WHERE organization_id = ${organization}`
      const { message: answer } = yield* send(organization, "Re: Your order", first.id)
      assert.deepStrictEqual(placeOf(yield* find(organization, first.id)), placeOf(answer))
    })
  )

  it.effect("name all that went before, over several rounds", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const { message: first } = yield* send(organization, "Your order")
      const ids = [rfcId(first)]
      let last = first
      for (const round of [1, 2, 3]) {
        const id = yield* receive(organization, {
          subject: "Re: Your order",
          inReplyTo: ids.slice(-1),
          references: ids
        })
        const answer = yield* find(organization, id)
        ids.push(rfcId(answer))
        const { message } = yield* send(organization, `Re: Your order ${round}`, answer.id)
        assert.deepStrictEqual(refersTo(message), ids)
        assert.strictEqual(message.emailMetadata?.headers["In-Reply-To"], rfcId(answer))
        assert.strictEqual(message.threadId, answer.threadId)
        ids.push(rfcId(message))
        last = message
      }
      assert.lengthOf(ids, 7)
      assert.strictEqual(last.threadId, (yield* find(organization, first.id)).threadId)
    })
  )

  it.effect("name what went before of mail whose writer named nothing, or that has no name itself", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const { message: first } = yield* send(organization, "Your order")
      const silent = yield* find(organization, yield* receive(organization, { subject: "Aw: Your order" }))
      assert.strictEqual(silent.parentMessageId, first.id)
      const nameless = yield* find(
        organization,
        yield* receive(organization, { subject: "Aw: Your order", messageId: "" })
      )
      assert.strictEqual(nameless.parentMessageId, silent.id)
      const { message: second } = yield* send(organization, "Re: Aw: Your order", silent.id)
      assert.deepStrictEqual(refersTo(second), [rfcId(first), rfcId(silent)])
      const { message: third } = yield* send(organization, "Re: Your order", nameless.id)
      assert.deepStrictEqual(refersTo(third), [rfcId(first), rfcId(silent)])
      assert.isFalse(Option.isSome(Option.fromNullable(third.emailMetadata?.headers["In-Reply-To"])))
    })
  )
})
