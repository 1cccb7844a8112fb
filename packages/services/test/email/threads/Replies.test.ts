import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { ancestorIds } from "@switchboard/domain/email/send/ReplyHeaders"
import type { EmailMetadata, Message, MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId, Plan } from "@switchboard/domain/organizations/Organization"
import { ThreadRepo } from "@switchboard/services/email/threads/ThreadRepo"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { Messages } from "@switchboard/services/messages/Messages"
import { address, receive } from "@switchboard/store/testing/email/receiving/MailFixtures"
import { makeOrganization } from "@switchboard/store/testing/messages/Fixtures"
import { Effect, Option } from "effect"
import { MailLive } from "../../messages/MailLive.js"
import { callerOf } from "../../messages/MessagesLive.js"

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

const emptyMetadata: Pick<EmailMetadata, "headers" | "messageId"> = { headers: {}, messageId: "" }
const rfcId = ({ emailMetadata }: Message) => (emailMetadata ?? emptyMetadata).messageId
const referencesOf = ({ emailMetadata }: Message) => ancestorIds(emailMetadata ?? emptyMetadata)
const placeOf = ({ conversationId, threadId }: Message) => ({ conversationId, threadId })
const organizationOn = (plan: Plan) => makeOrganization(plan)

layer(MailLive, { excludeTestServices: true })("Replies sent through the API, on PostgreSQL", (it) => {
  it.effect("join the thread and conversation of the replied message, or create them once", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const { message: first } = yield* send(organization, "Your order")
      assert.deepStrictEqual(placeOf(first), { conversationId: null, threadId: null })
      const sends = yield* Effect.replicateEffect(send(organization, "Re: Your order", first.id, "key"), 4, {
        concurrency: 4
      })
      assert.lengthOf(new Set(sends.map(({ message }) => message.id)), 1)
      const reply = sends[0]?.message ?? first
      assert.isNotNull(reply.threadId)
      assert.deepStrictEqual(placeOf(yield* find(organization, first.id)), placeOf(reply))
      assert.deepStrictEqual(placeOf(yield* find(organization, reply.id)), placeOf(reply))
      const { items, pagination } = yield* threads(organization)
      assert.deepStrictEqual([pagination.total, items[0]?.messageCount], [1, 2])
      const again = yield* send(organization, "Re: Your order", first.id, "key")
      assert.isTrue(again.replayed)
      assert.deepStrictEqual(placeOf(again.message), placeOf(reply))
      assert.strictEqual((yield* threads(organization)).pagination.total, 1)
    })
  )

  it.effect("create no thread if the idempotency key is used by another request", () =>
    Effect.gen(function* () {
      const organization = yield* organizationOn("free")
      const { message: first } = yield* send(organization, "Your order", undefined, "key")
      const refused = yield* Effect.flip(send(organization, "Re: Your order", first.id, "key"))
      assert.strictEqual(refused._tag, "ConflictError")
      assert.strictEqual((yield* threads(organization)).pagination.total, 0)
    })
  )

  it.effect("create no thread beyond the plan limit", () =>
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
      const events =
        yield* sql`SELECT 1 FROM events WHERE organization_id = ${organization} AND type LIKE 'conversation.%'`
      const conversations = yield* sql`SELECT 1 FROM conversations WHERE organization_id = ${organization}`
      assert.deepStrictEqual([events, conversations], [[], []])
      yield* sql`UPDATE organization_usage SET messages_used_this_month = 1 WHERE organization_id = ${organization}`
      const { message: reply } = yield* send(organization, "Re: Your order", first.id)
      assert.deepStrictEqual(placeOf(yield* find(organization, first.id)), placeOf(reply))
    })
  )

  it.effect("refer to all earlier messages over several rounds", () =>
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
        const reply = yield* find(organization, id)
        ids.push(rfcId(reply))
        const { message } = yield* send(organization, `Re: Your order ${round}`, reply.id)
        assert.deepStrictEqual(referencesOf(message), ids)
        assert.strictEqual(message.emailMetadata?.headers["In-Reply-To"], rfcId(reply))
        assert.strictEqual(message.threadId, reply.threadId)
        ids.push(rfcId(message))
        last = message
      }
      assert.lengthOf(ids, 7)
      assert.strictEqual(last.threadId, (yield* find(organization, first.id)).threadId)
    })
  )

  it.effect("refer to the earlier messages if the replied mail has no references or no Message-ID", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const { message: first } = yield* send(organization, "Your order")
      const withoutReferences = yield* find(organization, yield* receive(organization, { subject: "Aw: Your order" }))
      assert.strictEqual(withoutReferences.parentMessageId, first.id)
      const withoutMessageId = yield* find(
        organization,
        yield* receive(organization, { subject: "Aw: Your order", messageId: "" })
      )
      assert.strictEqual(withoutMessageId.parentMessageId, withoutReferences.id)
      const { message: second } = yield* send(organization, "Re: Aw: Your order", withoutReferences.id)
      assert.deepStrictEqual(referencesOf(second), [rfcId(first), rfcId(withoutReferences)])
      const { message: third } = yield* send(organization, "Re: Your order", withoutMessageId.id)
      assert.deepStrictEqual(referencesOf(third), [rfcId(first), rfcId(withoutReferences)])
      assert.isFalse(Option.isSome(Option.fromNullable(third.emailMetadata?.headers["In-Reply-To"])))
    })
  )

  it.effect("join the thread of the message that In-Reply-To or References name", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const [other, stranger] = [yield* makeOrganization(), yield* makeOrganization()]
      const { message: first } = yield* send(organization, "Your order")
      const question = yield* find(
        organization,
        yield* receive(organization, {
          subject: "Re: Your order",
          inReplyTo: [rfcId(first)],
          references: [rfcId(first)]
        })
      )
      const reply = (headers: Readonly<Record<string, string>>, sender = organization) =>
        Effect.flatMap(Messages, (messages) =>
          messages.send(callerOf(sender), {
            channel: "email",
            to: [{ email: address("ada@example.com") }],
            email: { subject: `Re: Your order ${Object.values(headers).join()}`, html: "<p>Hello</p>", headers }
          })
        ).pipe(Effect.map(({ message }) => message))
      const headersOf = ({ emailMetadata }: Message) => emailMetadata?.headers

      const named = yield* reply({ "in-reply-to": rfcId(question) })
      assert.deepStrictEqual([named.parentMessageId, named.threadId], [question.id, question.threadId])
      assert.deepStrictEqual(headersOf(named), {
        "in-reply-to": rfcId(question),
        References: `${rfcId(first)} ${rfcId(question)}`
      })
      const referring = yield* reply({ References: `<unknown@example.com> ${rfcId(question)}` })
      assert.deepStrictEqual([referring.parentMessageId, referring.threadId], [question.id, question.threadId])
      assert.deepStrictEqual(headersOf(referring), {
        "In-Reply-To": rfcId(question),
        References: `<unknown@example.com> ${rfcId(question)}`
      })
      for (const [sender, name] of [
        [organization, "<unknown@example.com>"],
        [other, rfcId(question)],
        [stranger, rfcId(first)]
      ] as const) {
        const unknown = yield* reply({ "In-Reply-To": name }, sender)
        assert.deepStrictEqual([unknown.parentMessageId, unknown.threadId], [null, null])
        assert.deepStrictEqual(headersOf(unknown), { "In-Reply-To": name })
      }
    })
  )
})
