import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Message } from "@switchboard/domain/messages/Message"
import { DeletedMessage } from "@switchboard/domain/messages/state/MessageEventData"
import { cancelled } from "@switchboard/domain/messages/state/MessageLifecycle"
import { type Accepted, MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { MessageRepoSql } from "@switchboard/store/messages/MessageRepoSql"
import { OrganizationRepoSql } from "@switchboard/store/organizations/OrganizationRepoSql"
import { Array, Context, DateTime, Effect, Exit, Layer, Option, Schema } from "effect"
import { SharedDatabase, TestDatabase } from "../TestDatabase.js"
import { makeOrganization, newMessage } from "./Fixtures.js"

const Live = Layer.mergeAll(MessageRepoSql, OrganizationRepoSql).pipe(Layer.provideMerge(SharedDatabase))

/** A repository with its own connections and batches, like another process. */
const otherProcess = Effect.map(
  Layer.build(Layer.fresh(MessageRepoSql.pipe(Layer.provide(Layer.fresh(TestDatabase))))),
  Context.get(MessageRepo)
)

const ids = (results: ReadonlyArray<Accepted>) => new Set(results.map(({ message }) => message.id))
const count = (table: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql<{ n: number }>`SELECT count(*)::int AS n FROM ${sql(table)}`, ([row]) => row?.n)
  )

layer(Live, { excludeTestServices: true })("MessageRepo on PostgreSQL", (it) => {
  it.effect("finds an accepted message for its own organization only, and encodes it", () =>
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

  it.effect("encodes a message like its schema, with texts to escape, times and participants", () =>
    Effect.gen(function* () {
      const repo = yield* MessageRepo
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeOrganization()
      const { message } = yield* repo.accept(yield* newMessage(own, { to: ["bob@example.com", "ada@example.com"] }))
      const same = Option.getOrThrow(yield* repo.findEncoded(own, message.id))
      assert.deepStrictEqual(JSON.parse(same.json), JSON.parse(JSON.stringify(message)))

      yield* sql`UPDATE messages SET external_id = ${'"a"\\\n\u0001ü😀'}, scheduled_at = created_at, tags = ${['"', "ü,{}"]},
        created_at = '2026-01-02 03:04:05.9999+02', cost = '0.0004' WHERE organization_id = ${own}`
      yield* sql`UPDATE message_states SET status = 'failed', failed_at = '2026-01-02 03:04:00+00', retry_count = 3,
        provider_response = '"451 later"', last_error = ${"451\tlater"}, error_details =
        ${'{"code":"expired","retryable":false}'}::json WHERE organization_id = ${own}`
      yield* sql`INSERT INTO participant_addresses (organization_id, kind, address, participant_id)
        SELECT ${own}, kind, address, ${message.fromParticipantId}
        FROM (VALUES ('phone', '+4930123456'), ('email', 'a"b@example.com')) AS a(kind, address)`
      const decoded = Option.getOrThrow(yield* repo.find(own, message.id))
      const { json } = Option.getOrThrow(yield* repo.findEncoded(own, message.id))
      assert.strictEqual(json, JSON.stringify(decoded))
      assert.deepStrictEqual(JSON.parse(json), { ...(yield* Schema.encode(Message)(decoded)) })
      assert.deepInclude(JSON.parse(json), {
        externalId: '"a"\\\n\u0001ü😀',
        tags: ['"', "ü,{}"],
        createdAt: "2026-01-02T01:04:05.999Z",
        failedAt: "2026-01-02T03:04:00.000Z",
        deliveredAt: null,
        errorDetails: { code: "expired", retryable: false }
      })
      assert.deepStrictEqual(decoded.fromParticipant?.channelIdentities, {
        email: ['a"b@example.com', "us@localhost.test"],
        phone: ["+4930123456"]
      })
      assert.deepStrictEqual(
        decoded.toParticipants?.map(({ id }) => id),
        decoded.toParticipantIds
      )
      const [listed] = (yield* repo.list(own, {}, { page: 1, limit: 1 })).items
      assert.strictEqual(listed?.json, json)
    })
  )

  it.effect("stores the parent of a message", () =>
    Effect.gen(function* () {
      const repo = yield* MessageRepo
      const own = yield* makeOrganization()
      const { message: parent } = yield* repo.accept(yield* newMessage(own))
      const reply = yield* newMessage(own)
      yield* repo.accept({ ...reply, facts: { ...reply.facts, parentMessageId: parent.id } })
      const found = yield* repo.find(own, reply.facts.id)
      assert.strictEqual(Option.getOrNull(found)?.parentMessageId, parent.id)
      assert.strictEqual(Option.getOrNull(yield* repo.find(own, parent.id))?.parentMessageId, null)
    })
  )

  it.effect("returns to each of many concurrent callers its own organization's messages only", () =>
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

  it.effect("accepts one of fifty concurrent sends with the same key on two processes", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const here = yield* MessageRepo
        const there = yield* otherProcess
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

  it.effect("rejects a reused key with a different request, and stores nothing", () =>
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

  it.effect("replays a request whose fingerprint was made of its text instead of its decoded value", () =>
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

  it.effect("finds the replays of many concurrent sends by organization, key or content", () =>
    Effect.gen(function* () {
      const repo = yield* MessageRepo
      const [own, other] = yield* Effect.all([makeOrganization(), makeOrganization()])
      const keyed = yield* Effect.forEach(Array.range(1, 20), (n) => newMessage(own, { key: `key ${n}` }))
      const plain = yield* Effect.replicateEffect(newMessage(own), 20)
      const reused = yield* newMessage(own, { key: "key 1", fingerprint: "another" })
      const accepted = yield* Effect.forEach([...keyed, ...plain], repo.accept, { concurrency: "unbounded" })
      const originals = accepted.map(({ message }) => message.id)

      const repeated = [...keyed, ...plain].map(({ identity }) => identity)
      const findIds = (organization: typeof own) =>
        Effect.forEach(
          repeated,
          (identity) => Effect.map(repo.findReplay(organization, identity), (found) => Option.getOrNull(found)?.id),
          { concurrency: "unbounded" }
        )
      const [mine, theirs, refused] = yield* Effect.all(
        [findIds(own), findIds(other), Effect.flip(repo.findReplay(own, reused.identity))],
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

  it.effect("releases the key of a refused send, and keeps the key of a deleted message", () =>
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

  it.effect("replays sends without a key with the same content within the window", () =>
    Effect.gen(function* () {
      const repo = yield* MessageRepo
      const own = yield* makeOrganization()
      const send = (options: { readonly key?: string; readonly window?: string }) =>
        Effect.flatMap(
          newMessage(own, { contentHash: "same", ...(options.key ? { key: options.key } : {}) }),
          repo.accept
        )
      const keyed = yield* send({ key: "one" })
      const twins = yield* Effect.all([send({}), send({}), send({})], { concurrency: "unbounded" })
      assert.deepStrictEqual(ids(twins), new Set([keyed.message.id]))
      const second = yield* send({ key: "two" })
      assert.notStrictEqual(second.message.id, keyed.message.id)
      const off = yield* Effect.flatMap(newMessage(own, { contentHash: "same", window: "0 seconds" }), repo.accept)
      assert.isFalse(off.replayed)
    })
  )

  it.effect("accepts a send with the same content as a cancelled or older message", () =>
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

  it.effect("accepts exactly five of a hundred concurrent sends if the plan has five left", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const here = yield* MessageRepo
        const there = yield* otherProcess
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

  it.effect("lists messages newest first, in pages, with an exact total and filters", () =>
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

  it.effect("deletes a message with its content, and keeps counters and events", () =>
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
      const [event] = yield* sql<{ readonly data: unknown }>`SELECT data FROM events
        WHERE organization_id = ${own} AND type = 'message.deleted'`
      const deleted = Schema.decodeUnknownSync(DeletedMessage)(event?.data)
      assert.deepInclude(deleted, { id: message.id, channel: "email", tags: ["a"], isTest: false, externalId: null })
      assert.strictEqual((yield* repo.list(own, {}, { page: 1, limit: 1 })).pagination.total, 0)
    })
  )

  it.effect("deletes the queue entry of a message that a change ends, also of a scheduled one", () =>
    Effect.gen(function* () {
      const repo = yield* MessageRepo
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeOrganization()
      const now = yield* DateTime.now
      const send = (scheduledAt?: DateTime.Utc) =>
        Effect.flatMap(newMessage(own, scheduledAt === undefined ? {} : { scheduledAt }), repo.accept)
      const { message: left } = yield* send()
      const ended = [yield* send(), yield* send(DateTime.add(now, { hours: 1 }))]
      yield* Effect.forEach(ended, ({ message }) =>
        repo.change(own, message.id, (state) => Effect.succeed(cancelled(state, now)))
      )
      const entries = yield* sql`SELECT message_id FROM message_queue WHERE organization_id = ${own}
        UNION ALL SELECT message_id FROM message_waiting WHERE organization_id = ${own}`
      assert.deepStrictEqual(entries, [{ message_id: left.id }])
    })
  )

  it.effect("stores the other sends of a batch if the database refuses one", () =>
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
