import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Message } from "@switchboard/domain/messages/Message"
import { DeletedMessage } from "@switchboard/domain/messages/state/MessageEventData"
import { cancelled } from "@switchboard/domain/messages/state/MessageLifecycle"
import { type Accepted, MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { Array, DateTime, Effect, Exit, Option, Schema } from "effect"
import { eventTypes, storedEvents } from "../StoredRows.js"
import { StoreLive } from "../StoreLive.js"
import { makeOrganization, newMessage } from "./Fixtures.js"

const ids = (results: ReadonlyArray<Accepted>) => new Set(results.map(({ message }) => message.id))
const count = (table: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql<{ n: number }>`SELECT count(*)::int AS n FROM ${sql(table)}`, ([row]) => row?.n)
  )

layer(StoreLive, { excludeTestServices: true })("MessageRepo on PostgreSQL", (it) => {
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
      assert.deepStrictEqual(yield* eventTypes(own), ["message.created", "message.deleted"])
      const [event] = yield* storedEvents(own, "message.deleted")
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
