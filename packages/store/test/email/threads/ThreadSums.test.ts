import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { assert, layer } from "@effect/vitest"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { ReceivedMessages } from "@switchboard/services/email/receiving/ReceivedMessages"
import { ThreadRepo } from "@switchboard/services/email/threads/ThreadRepo"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { objectsInMemory } from "@switchboard/services/testing/objects/ObjectsInMemory"
import { retryConflicts } from "@switchboard/store/database/Unavailable"
import { removeRecipient } from "@switchboard/store/erasure/EraseParticipants"
import { bodies, eraseContent } from "@switchboard/store/retention/ExpiredContent"
import { Duration, Effect, Layer, Random } from "effect"
import { makeOrganization, newMessage } from "../../messages/Fixtures.js"
import { OwnStoreLive } from "../../StoreLive.js"
import { address, authentication, inboundMail, readMail } from "../receiving/MailFixtures.js"
import { recountThreads } from "./RecountThreads.js"

const Live = ReceivedMessages.Default.pipe(Layer.provide(objectsInMemory()), Layer.provideMerge(OwnStoreLive))

const people = ["ada@example.com", "bob@example.com", "eve@example.com"]
const statuses = ["active", "snoozed", "resolved", "archived"]
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
    const [status = ""] = yield* pick(statuses)
    yield* Effect.forEach(
      thread,
      ({ conversationId }) => sql`UPDATE conversations SET status = ${status}
        WHERE organization_id = ${organization} AND id = ${conversationId}`
    )
  }
  if (what === 6)
    yield* Effect.forEach(parent, (id) =>
      transaction(
        removeRecipient(sql, { organizationId: organization, id, isTheirs: false }, address("bob@example.com"))
      )
    )
  if (what === 7) yield* eraseContent(sql, bodies, Duration.millis(1))
})

const changes = (organization: OrganizationId, number: number) =>
  Effect.replicateEffect(change(organization), number, { concurrency: 4, discard: true })

const checkSums = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { counted, stored } = yield* recountThreads(organization)
  assert.deepStrictEqual(stored, counted)
  return stored.length
})

layer(Live, { excludeTestServices: true })("The sums of threads", (it) => {
  it.effect("equal a recount after concurrent changes", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      for (let round = 0; round < 2; round++) {
        yield* changes(organization, 20)
        assert.isAbove(yield* checkSums(organization), 2)
      }
      const sql = yield* SqlClient.SqlClient
      const messages = yield* sql<{ id: MessageId }>`SELECT id FROM messages WHERE organization_id = ${organization}`
      const repo = yield* MessageRepo
      yield* Effect.forEach(messages, ({ id }) => repo.remove(organization, id), { concurrency: 4 })
      assert.strictEqual(yield* checkSums(organization), 2)
      assert.strictEqual((yield* (yield* ThreadRepo).counts(organization)).totalThreads, 0)
    }).pipe(Effect.withRandom(Random.make("threads")))
  )
})
