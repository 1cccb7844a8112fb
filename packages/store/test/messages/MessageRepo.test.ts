import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Message } from "@switchboard/domain/messages/Message"
import { DeletedMessage } from "@switchboard/domain/messages/state/MessageEventData"
import { cancelled } from "@switchboard/domain/messages/state/MessageLifecycle"
import { type Accepted, MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { MessageRepoSql } from "@switchboard/store/messages/MessageRepoSql"
import { OrganizationRepoSql } from "@switchboard/store/organizations/OrganizationRepoSql"
import { Array, Context, DateTime, Effect, Exit, Layer, Option, Schema } from "effect"
import { TestDatabase, TestDatabaseUrl } from "../TestDatabase.js"
import { makeOrganization, newMessage } from "./Fixtures.js"

const Live = Layer.mergeAll(MessageRepoSql, OrganizationRepoSql).pipe(
  Layer.provideMerge(TestDatabase),
  Layer.provideMerge(TestDatabaseUrl.Live)
)

/** A repository with connections and batches of its own, as another process has them. */
const elsewhere = Effect.map(
  Layer.build(Layer.fresh(MessageRepoSql.pipe(Layer.provide(Layer.fresh(TestDatabase))))),
  Context.get(MessageRepo)
)

const ids = (results: ReadonlyArray<Accepted>) => new Set(results.map(({ message }) => message.id))
const count = (table: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql<{ n: number }>`SELECT count(*)::int AS n FROM ${sql(table)}`, ([row]) => row?.n)
  )

layer(Live, { timeout: "300 seconds", excludeTestServices: true })("MessageRepo on PostgreSQL", (it) => {
  it.effect("finds what it accepted, for its own organization alone, and it encodes", () =>
    Effect.gen(function* () {
      const repo = yield* MessageRepo
      const [own, other] = yield* Effect.all([makeOrganization(), makeOrganization()])
      const { message, replayed } = yield* repo.accept(
        yield* newMessage(own, { to: ["ada@example.com", "bob@example.com"] })
      )
      assert.isFalse(replayed)
      assert.deepStrictEqual(Option.getOrNull(yield* repo.find(own, message.id)), message)
      assert.isTrue(Option.isNone(yield* repo.find(other, message.id)))
      assert.strictEqual(message.toParticipants?.length, 2)
      assert.strictEqual((yield* Schema.encode(Message)(message)).status, "pending")
    })
  )

  it.effect("keeps which message a message answers", () =>
    Effect.gen(function* () {
      const repo = yield* MessageRepo
      const own = yield* makeOrganization()
      const { message: parent } = yield* repo.accept(yield* newMessage(own))
      const answer = yield* newMessage(own)
      yield* repo.accept({ ...answer, facts: { ...answer.facts, parentMessageId: parent.id } })
      const found = yield* repo.find(own, answer.facts.id)
      assert.strictEqual(Option.getOrNull(found)?.parentMessageId, parent.id)
      assert.strictEqual(Option.getOrNull(yield* repo.find(own, parent.id))?.parentMessageId, null)
    })
  )

  it.effect("finds for many at once: each gets its own, and nobody another organization's", () =>
    Effect.gen(function* () {
      const repo = yield* MessageRepo
      const [own, other] = yield* Effect.all([makeOrganization(), makeOrganization()])
      const accept = (organization: typeof own) => Effect.flatMap(newMessage(organization), repo.accept)
      const accepted = yield* Effect.replicateEffect(Effect.all([accept(own), accept(other)]), 30)
      const messages = accepted.flat().map(({ message }) => message)
      const find = (organization: typeof own) =>
        Effect.forEach(messages, ({ id }) => Effect.map(repo.find(organization, id), Option.getOrNull), {
          concurrency: "unbounded"
        })
      const [mine, theirs] = yield* Effect.all([find(own), find(other)], { concurrency: "unbounded" })
      const onlyOf = (organization: typeof own) =>
        messages.map((one) => (one.organizationId === organization ? one : null))
      assert.deepStrictEqual(mine, onlyOf(own))
      assert.deepStrictEqual(theirs, onlyOf(other))
    })
  )

  it.effect("makes one message of fifty concurrent sends with one key, on two processes", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const here = yield* MessageRepo
        const there = yield* elsewhere
        const own = yield* makeOrganization()
        const sends = yield* Effect.replicateEffect(newMessage(own, { key: "once", contentHash: "c" }), 50)
        const results = yield* Effect.forEach(sends, (send, index) => (index % 2 ? here : there).accept(send), {
          concurrency: "unbounded"
        })
        assert.strictEqual(ids(results).size, 1)
        assert.strictEqual(results.filter(({ replayed }) => !replayed).length, 1)
        assert.strictEqual((yield* here.list(own, {}, { page: 1, limit: 20 })).pagination.total, 1)
      })
    )
  )

  it.effect("refuses a key that comes again with another request, and leaves nothing of it", () =>
    Effect.gen(function* () {
      const repo = yield* MessageRepo
      const own = yield* makeOrganization()
      yield* repo.accept(yield* newMessage(own, { key: "k", fingerprint: "one" }))
      const before = yield* count("messages")
      const refused = yield* Effect.flip(repo.accept(yield* newMessage(own, { key: "k", fingerprint: "two" })))
      assert.strictEqual(refused._tag, "ConflictError")
      assert.strictEqual(yield* count("messages"), before)
    })
  )

  it.effect("knows a request again whose claim was made of its words, defaults and all", () =>
    Effect.gen(function* () {
      const repo = yield* MessageRepo
      const own = yield* makeOrganization()
      const { message } = yield* repo.accept(yield* newMessage(own, { key: "k", fingerprint: "words" }))
      const again = yield* newMessage(own, { key: "k", fingerprint: "meaning", asWritten: "words" })
      const replay = yield* repo.accept(again)
      assert.deepStrictEqual([replay.replayed, replay.message.id], [true, message.id])
      const other = yield* newMessage(own, { key: "k", fingerprint: "meaning", asWritten: "other words" })
      assert.strictEqual((yield* Effect.flip(repo.accept(other)))._tag, "ConflictError")
    })
  )

  it.effect("tells many at once what they repeat, each by its own organization, key or content", () =>
    Effect.gen(function* () {
      const repo = yield* MessageRepo
      const [own, other] = yield* Effect.all([makeOrganization(), makeOrganization()])
      const keyed = yield* Effect.forEach(Array.range(1, 20), (n) => newMessage(own, { key: `key ${n}` }))
      const plain = yield* Effect.replicateEffect(newMessage(own), 20)
      const reused = yield* newMessage(own, { key: "key 1", fingerprint: "another" })
      const accepted = yield* Effect.forEach([...keyed, ...plain], repo.accept, { concurrency: "unbounded" })
      const originals = accepted.map(({ message }) => message.id)

      const repeated = [...keyed, ...plain].map(({ identity }) => identity)
      const ask = (organization: typeof own) =>
        Effect.forEach(
          repeated,
          (identity) => Effect.map(repo.findReplay(organization, identity), (found) => Option.getOrNull(found)?.id),
          { concurrency: "unbounded" }
        )
      const [mine, theirs, refused] = yield* Effect.all(
        [ask(own), ask(other), Effect.flip(repo.findReplay(own, reused.identity))],
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(mine, originals)
      assert.deepStrictEqual(
        theirs,
        originals.map(() => undefined)
      )
      assert.strictEqual(refused._tag, "ConflictError")
    })
  )

  it.effect("lets a key go that belongs to a refused send, and keeps the key of a deleted message", () =>
    Effect.gen(function* () {
      const repo = yield* MessageRepo
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeOrganization("free")
      yield* sql`UPDATE organization_usage SET messages_used_this_month = 1000 WHERE organization_id = ${own}`
      const over = yield* Effect.flip(repo.accept(yield* newMessage(own, { key: "k" })))
      assert.strictEqual(over._tag, "PaymentRequiredError")
      yield* sql`UPDATE organizations SET plan = 'unlimited' WHERE id = ${own}`
      const { message } = yield* repo.accept(yield* newMessage(own, { key: "k" }))
      assert.isTrue(yield* repo.remove(own, message.id))
      const conflict = yield* Effect.flip(repo.accept(yield* newMessage(own, { key: "k" })))
      assert.strictEqual(conflict._tag, "ConflictError")
    })
  )

  it.effect("takes the same content without a key for one send within the window, keyed or not before", () =>
    Effect.gen(function* () {
      const repo = yield* MessageRepo
      const own = yield* makeOrganization()
      const send = (given: { readonly key?: string; readonly window?: string }) =>
        Effect.flatMap(newMessage(own, { contentHash: "same", ...(given.key ? { key: given.key } : {}) }), repo.accept)
      const keyed = yield* send({ key: "one" })
      const twins = yield* Effect.all([send({}), send({}), send({})], { concurrency: "unbounded" })
      assert.deepStrictEqual(ids(twins), new Set([keyed.message.id]))
      const second = yield* send({ key: "two" })
      assert.notStrictEqual(second.message.id, keyed.message.id)
      const off = yield* Effect.flatMap(newMessage(own, { contentHash: "same", window: "0 seconds" }), repo.accept)
      assert.isFalse(off.replayed)
    })
  )

  it.effect("sends again what has the same content as a cancelled or older message", () =>
    Effect.gen(function* () {
      const repo = yield* MessageRepo
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeOrganization()
      const now = yield* DateTime.now
      const scheduledAt = DateTime.add(now, { hours: 1 })
      const send = Effect.flatMap(newMessage(own, { contentHash: "same", scheduledAt }), repo.accept)
      const first = yield* send
      assert.isTrue((yield* send).replayed)
      yield* repo.change(own, first.message.id, (state) => Effect.succeed(cancelled(state, now)))
      const second = yield* send
      assert.isFalse(second.replayed)
      yield* sql`UPDATE message_contents SET accepted_at = now() - interval '61 seconds' WHERE organization_id = ${own}`
      assert.isFalse((yield* send).replayed)
    })
  )

  it.effect("counts exactly: of a hundred racing sends, five left let five through", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const here = yield* MessageRepo
        const there = yield* elsewhere
        const sql = yield* SqlClient.SqlClient
        const own = yield* makeOrganization("free")
        yield* sql`UPDATE organization_usage SET messages_used_this_month = 995 WHERE organization_id = ${own}`
        const sends = yield* Effect.replicateEffect(newMessage(own), 100)
        const results = yield* Effect.forEach(
          sends,
          (send, index) => Effect.exit((index % 2 ? here : there).accept(send)),
          {
            concurrency: "unbounded"
          }
        )
        assert.strictEqual(results.filter(Exit.isSuccess).length, 5)
        const [usage] = yield* sql`SELECT messages_used_this_month::int AS month, messages_kept::int AS kept
          FROM organization_usage WHERE organization_id = ${own}`
        assert.deepStrictEqual(usage, { month: 1000, kept: 5 })
        const test = yield* here.accept(yield* newMessage(own, { isTest: true }))
        assert.isFalse(test.replayed)
        yield* sql`UPDATE organization_usage SET month = month - interval '1 month' WHERE organization_id = ${own}`
        assert.isFalse((yield* here.accept(yield* newMessage(own))).replayed)
      })
    )
  )

  it.effect("lists newest first, page by page, with an exact total, narrowed by every filter", () =>
    Effect.gen(function* () {
      const repo = yield* MessageRepo
      const own = yield* makeOrganization()
      const sent = yield* Effect.forEach(Array.range(1, 5), (n) =>
        Effect.flatMap(newMessage(own, { to: [`n${n}@example.com`] }), repo.accept)
      )
      const first = yield* repo.list(own, {}, { page: 1, limit: 2 })
      assert.deepStrictEqual(first.pagination, { page: 1, limit: 2, total: 5, totalPages: 3 })
      const everything = yield* repo.list(own, {}, { page: 1, limit: 100 })
      const order = everything.items.map(({ id }) => id)
      assert.deepStrictEqual(order, [...order].sort().reverse())
      assert.deepStrictEqual(
        (yield* repo.list(own, {}, { page: 3, limit: 2 })).items.map(({ id }) => id),
        order.slice(4)
      )
      const one = sent[2]?.message
      const totals = yield* Effect.forEach(
        [
          { participantId: one?.toParticipantIds[0] },
          { participantId: one?.fromParticipantId },
          { status: "failed" as const },
          { status: "pending" as const, channel: "email" as const },
          { startDate: one?.createdAt, endDate: one?.createdAt },
          { endDate: DateTime.unsafeMake("2020-01-01") },
          { startDate: DateTime.unsafeMake("2020-01-01") }
        ],
        (filter) => Effect.map(repo.list(own, filter, { page: 1, limit: 1 }), ({ pagination }) => pagination.total)
      )
      assert.deepStrictEqual([...totals.slice(0, 4), ...totals.slice(5)], [1, 5, 0, 5, 0, 5])
      assert.isAtLeast(totals[4] ?? 0, 1)
    })
  )

  it.effect("a message that is deleted takes its content along, and leaves counters and events", () =>
    Effect.gen(function* () {
      const repo = yield* MessageRepo
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeOrganization()
      const { message } = yield* repo.accept(yield* newMessage(own))
      assert.isTrue(yield* repo.remove(own, message.id))
      assert.isFalse(yield* repo.remove(own, message.id))
      const left = yield* Effect.forEach(
        ["messages", "message_states", "message_participants", "message_queue", "message_waiting"],
        (table) => sql`SELECT 1 FROM ${sql(table)} WHERE organization_id = ${own}`
      )
      assert.deepStrictEqual(left.flat(), [])
      const types = yield* sql`SELECT type FROM events WHERE organization_id = ${own} ORDER BY id`
      assert.deepStrictEqual(
        types.map(({ type }) => type),
        ["message.created", "message.deleted"]
      )
      const [told] = yield* sql<{ readonly data: unknown }>`SELECT data FROM events
        WHERE organization_id = ${own} AND type = 'message.deleted'`
      const deleted = Schema.decodeUnknownSync(DeletedMessage)(told?.data)
      assert.deepInclude(deleted, { id: message.id, channel: "email", tags: ["a"], isTest: false, externalId: null })
      assert.strictEqual((yield* repo.list(own, {}, { page: 1, limit: 1 })).pagination.total, 0)
    })
  )

  it.effect("one send that the database refuses does not take the others of its batch with it", () =>
    Effect.gen(function* () {
      const repo = yield* MessageRepo
      const own = yield* makeOrganization()
      const good = yield* Effect.replicateEffect(newMessage(own), 20)
      const bad = yield* newMessage(own)
      const broken = { ...bad, facts: { ...bad.facts, tags: ["\u0000"] } }
      const results = yield* Effect.forEach([...good, broken], (send) => Effect.exit(repo.accept(send)), {
        concurrency: "unbounded"
      })
      assert.strictEqual(results.filter(Exit.isSuccess).length, 20)
    })
  )
})
