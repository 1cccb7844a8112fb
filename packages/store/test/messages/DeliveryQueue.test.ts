import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { DeliveryOutcome } from "@switchboard/domain/messages/DeliveryOutcome"
import type { MessageId } from "@switchboard/domain/messages/Message"
import { nextAttemptAt, settled, withinLongestWait } from "@switchboard/domain/messages/MessageLifecycle"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DeliveryQueue, type TakenMessage } from "@switchboard/services/messages/DeliveryQueue"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import {
  Array,
  type Context,
  DateTime,
  Deferred,
  Duration,
  Effect,
  Layer,
  Option,
  Queue,
  Schedule,
  Stream
} from "effect"
import { DeliveryQueueSql } from "../../src/messages/DeliveryQueueSql.js"
import { MessageRepoSql } from "../../src/messages/MessageRepoSql.js"
import { OrganizationRepoSql } from "../../src/organizations/OrganizationRepoSql.js"
import { TestDatabase, TestDatabaseUrl } from "../TestDatabase.js"
import { makeOrganization, newMessage } from "./Fixtures.js"

const Live = Layer.mergeAll(MessageRepoSql, DeliveryQueueSql, OrganizationRepoSql).pipe(
  Layer.provideMerge(TestDatabase),
  Layer.provideMerge(TestDatabaseUrl.Live)
)

const accept = (own: OrganizationId, howMany: number) =>
  Effect.gen(function* () {
    const repo = yield* MessageRepo
    const messages = yield* Effect.replicateEffect(newMessage(own), howMany)
    return yield* Effect.forEach(messages, (message) => Effect.map(repo.accept(message), (one) => one.message), {
      concurrency: "unbounded"
    })
  })

const mebibyte = 1024 * 1024

/** Accepts one message after the other, each with files of these sizes; their ids. */
const acceptWithFiles = (own: OrganizationId, messages: ReadonlyArray<ReadonlyArray<number>>) =>
  Effect.gen(function* () {
    const repo = yield* MessageRepo
    return yield* Effect.forEach(messages, (sizes) =>
      Effect.flatMap(newMessage(own), (message) => {
        const attachments = sizes.map((size) => ({
          filename: "file",
          contentType: "application/octet-stream",
          contentId: null,
          content: new Uint8Array(size).fill(size)
        }))
        return Effect.map(repo.accept({ ...message, attachments }), (one) => one.message.id)
      })
    )
  })

const take = (
  worker: string,
  options: {
    readonly limit?: number
    readonly perOrganization?: number
    readonly saturated?: ReadonlyArray<OrganizationId>
    readonly attachmentBytes?: number
    readonly expiredOnly?: boolean
  } = {}
) =>
  Effect.flatMap(DeliveryQueue, (queue) =>
    queue.take({
      worker,
      limit: options.limit ?? 1000,
      perOrganization: options.perOrganization ?? options.limit ?? 1000,
      saturated: options.saturated ?? [],
      attachmentBytes: options.attachmentBytes ?? Number.POSITIVE_INFINITY,
      lease: Duration.seconds(60),
      expiredOnly: options.expiredOnly ?? false
    })
  )

const settle = (worker: string, taken: ReadonlyArray<TakenMessage>, outcome: DeliveryOutcome) =>
  Effect.gen(function* () {
    const queue = yield* DeliveryQueue
    const now = yield* DateTime.now
    yield* queue.settle(
      worker,
      taken.map((message) => ({
        message,
        decide: (state) => {
          const bounded = withinLongestWait(outcome, message.dueSince)
          const after = settled(state, bounded, "accept", now)
          return { state: after, retryAt: nextAttemptAt(after, bounded, now) }
        }
      }))
    )
  })

const accepted = DeliveryOutcome.Answered({
  replies: [{ recipient: "ada@example.com", verdict: "accepted", smtpCode: 250, response: "ok" }],
  response: "250 ok",
  providerMessageId: null,
  retryAt: null
})

const statuses = (own: OrganizationId) =>
  Effect.flatMap(MessageRepo, (repo) =>
    Effect.map(repo.list(own, {}, { page: 1, limit: 100 }), ({ items }) =>
      items.map(({ statusHistory }) => (statusHistory ?? []).map(({ status }) => status).join(" "))
    )
  )

const emptyQueue = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`TRUNCATE message_queue, message_waiting`)

/** Copies an accepted message and its queue entry, so that much waits soon. */
const multiply = (id: MessageId, times: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`WITH copies AS MATERIALIZED (
      SELECT gen_random_uuid() AS id, gen_random_uuid() AS entry FROM generate_series(1, ${times})
    ), m AS (
      INSERT INTO messages SELECT (jsonb_populate_record(o, jsonb_build_object('id', c.id))).*
      FROM messages AS o CROSS JOIN copies AS c WHERE o.id = ${id}
    ), s AS (
      INSERT INTO message_states SELECT (jsonb_populate_record(o, jsonb_build_object('message_id', c.id))).*
      FROM message_states AS o, copies AS c WHERE o.message_id = ${id}
    )
    INSERT INTO message_queue
    SELECT (jsonb_populate_record(o, jsonb_build_object('id', c.entry, 'message_id', c.id))).*
    FROM message_queue AS o, copies AS c WHERE o.message_id = ${id}`
  )

/** Entries that this transaction has read, by whatever plan. */
const entriesRead = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ entries: number }>`SELECT (seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS entries
      FROM pg_stat_xact_user_tables WHERE relname = 'message_queue'`,
    ([row]) => row?.entries ?? 0
  )
)

layer(Live, { timeout: "60 seconds", excludeTestServices: true })("DeliveryQueue on PostgreSQL", (it) => {
  it.effect("gives each message to one worker, counts the attempt before the work, and settles what was done", () =>
    Effect.gen(function* () {
      yield* emptyQueue
      const own = yield* makeOrganization()
      yield* accept(own, 20)
      const [left, right] = yield* Effect.all([take("left", { limit: 10 }), take("right", { limit: 10 })], {
        concurrency: "unbounded"
      })
      assert.strictEqual(new Set([...left, ...right].map(({ messageId }) => messageId)).size, 20)
      assert.isTrue(left.every(({ state }) => state.status === "processing" && state.deliveryAttempts === 1))
      yield* settle("left", left, accepted)
      yield* settle("right", right, accepted)
      assert.deepStrictEqual(new Set(yield* statuses(own)), new Set(["pending processing sent delivered"]))
      const { leased, ready } = yield* Effect.flatMap(DeliveryQueue, (queue) => queue.depth)
      assert.deepStrictEqual({ leased, ready }, { leased: 0, ready: 0 })
    })
  )

  it.effect("an organization with much does not crowd out one with little", () =>
    Effect.gen(function* () {
      yield* emptyQueue
      const [noisy, quiet] = yield* Effect.all([makeOrganization(), makeOrganization()])
      yield* accept(noisy, 300)
      const [single] = yield* accept(quiet, 1)
      const taken = yield* take("w", { limit: 10 })
      assert.strictEqual(taken.length, 10)
      assert.include(
        taken.map(({ messageId }) => messageId),
        single?.id
      )
      yield* accept(quiet, 1)
      const spared = yield* take("w", { limit: 10, saturated: [noisy] })
      assert.deepStrictEqual(
        spared.map(({ organizationId }) => organizationId),
        [quiet]
      )
    })
  )

  it.effect("takes over what a lost worker held, says so in the history, and ignores the lost worker's news", () =>
    Effect.gen(function* () {
      yield* emptyQueue
      const sql = yield* SqlClient.SqlClient
      const queue = yield* DeliveryQueue
      const own = yield* makeOrganization()
      yield* accept(own, 1)
      const lost = yield* take("lost")
      assert.deepStrictEqual(yield* take("next"), [])
      yield* sql`UPDATE message_queue SET lease_until = now() - interval '1 second'`
      assert.strictEqual(yield* queue.recover, 1)
      const [again] = yield* take("next")
      assert.strictEqual(again?.takeovers, 1)
      assert.deepStrictEqual(again?.state.statusHistory.at(-1)?.metadata, { possibleDuplicate: true })
      yield* settle("lost", lost, DeliveryOutcome.Refused({ smtpCode: 554, response: "no" }))
      yield* settle("next", [again], accepted)
      assert.deepStrictEqual(yield* statuses(own), ["pending processing processing sent delivered"])
    })
  )

  it.effect("recovers every lost lease, however many pages they are", () =>
    Effect.gen(function* () {
      yield* emptyQueue
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeOrganization()
      yield* accept(own, 1500)
      yield* take("lost", { limit: 2000 })
      yield* sql`UPDATE message_queue SET lease_until = now() - interval '1 second'`
      assert.strictEqual(yield* Effect.flatMap(DeliveryQueue, (queue) => queue.recover), 1500)
    })
  )

  it.effect("a renewed lease is not recovered", () =>
    Effect.gen(function* () {
      yield* emptyQueue
      const sql = yield* SqlClient.SqlClient
      const queue = yield* DeliveryQueue
      const own = yield* makeOrganization()
      yield* accept(own, 1)
      const [held] = yield* take("w")
      yield* sql`UPDATE message_queue SET lease_until = now() - interval '1 second'`
      yield* queue.renew("w", held === undefined ? [] : [held.queueId], Duration.seconds(60))
      assert.strictEqual(yield* queue.recover, 0)
    })
  )

  it.effect("a deferred message waits apart until its time, and comes back by itself", () =>
    Effect.gen(function* () {
      yield* emptyQueue
      const sql = yield* SqlClient.SqlClient
      const queue = yield* DeliveryQueue
      const own = yield* makeOrganization()
      const [message] = yield* accept(own, 1)
      const now = yield* DateTime.now
      const retryAt = DateTime.add(now, { hours: 1 })
      yield* settle(
        "w",
        yield* take("w"),
        DeliveryOutcome.Deferred({ code: "deferred", smtpCode: 451, response: "later", retryAt })
      )
      assert.strictEqual(yield* queue.promote, 0)
      assert.strictEqual((yield* queue.depth).waiting, 1)
      yield* sql`UPDATE message_waiting SET due_at = now()`
      assert.strictEqual(yield* queue.promote, 1)
      const [again] = yield* take("w")
      assert.strictEqual(again?.state.retryCount, 1)
      assert.deepStrictEqual(again?.dueSince, message?.createdAt)
      assert.deepStrictEqual(yield* statuses(own), ["pending processing queued processing"])
    })
  )

  it.effect("a scheduled message becomes pending when its time has come", () =>
    Effect.gen(function* () {
      yield* emptyQueue
      const sql = yield* SqlClient.SqlClient
      const repo = yield* MessageRepo
      const queue = yield* DeliveryQueue
      const own = yield* makeOrganization()
      const now = yield* DateTime.now
      yield* repo.accept(yield* newMessage(own, { scheduledAt: DateTime.add(now, { hours: 1 }) }))
      assert.deepStrictEqual(yield* take("w"), [])
      yield* sql`UPDATE message_waiting SET due_at = now()`
      yield* queue.promote
      assert.deepStrictEqual(yield* statuses(own), ["scheduled pending"])
      assert.strictEqual((yield* take("w")).length, 1)
    })
  )

  it.effect("what is handed back is ready at once, and its attempt is not counted", () =>
    Effect.gen(function* () {
      yield* emptyQueue
      const own = yield* makeOrganization()
      yield* accept(own, 1)
      yield* settle("w", yield* take("w"), DeliveryOutcome.HandedBack())
      const [again] = yield* take("other")
      assert.strictEqual(again?.state.deliveryAttempts, 1)
      assert.strictEqual(again?.takeovers, 0)
    })
  )

  it.effect("a message that was deleted while a worker held it stays deleted", () =>
    Effect.gen(function* () {
      yield* emptyQueue
      const repo = yield* MessageRepo
      const own = yield* makeOrganization()
      const [message] = yield* accept(own, 1)
      const taken = yield* take("w")
      if (message !== undefined) yield* repo.remove(own, message.id)
      yield* settle("w", taken, accepted)
      assert.deepStrictEqual(yield* statuses(own), [])
      assert.deepStrictEqual(yield* take("w"), [])
    })
  )

  it.effect("finds what has waited longer than a message may", () =>
    Effect.gen(function* () {
      yield* emptyQueue
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeOrganization()
      yield* accept(own, 2)
      assert.deepStrictEqual(yield* take("w", { expiredOnly: true }), [])
      yield* sql`UPDATE message_queue SET due_since = now() - interval '73 hours'`
      const late = yield* take("w", { expiredOnly: true })
      yield* settle("w", late, DeliveryOutcome.Expired())
      assert.deepStrictEqual(new Set(yield* statuses(own)), new Set(["pending processing failed"]))
    })
  )

  it.effect("finds a deferred message when its time is over, though its next try would be later", () =>
    Effect.gen(function* () {
      yield* emptyQueue
      const sql = yield* SqlClient.SqlClient
      const queue = yield* DeliveryQueue
      const own = yield* makeOrganization()
      yield* accept(own, 1)
      yield* sql`UPDATE message_queue SET due_since = now() - interval '71 hours'`
      const retryAt = DateTime.add(yield* DateTime.now, { hours: 8 })
      yield* settle(
        "w",
        yield* take("w"),
        DeliveryOutcome.Deferred({ code: "deferred", smtpCode: 451, response: "later", retryAt })
      )
      assert.strictEqual(yield* queue.promote, 0)
      // An hour passes.
      yield* sql`UPDATE message_waiting SET due_at = due_at - interval '1 hour', due_since = due_since - interval '1 hour'`
      assert.strictEqual(yield* queue.promote, 1)
      const late = yield* take("w", { expiredOnly: true })
      yield* settle("w", late, DeliveryOutcome.Expired())
      assert.deepStrictEqual(yield* statuses(own), ["pending processing queued processing failed"])
    })
  )

  it.effect("finds what is too old, the oldest first, without reading what is not", () =>
    Effect.gen(function* () {
      yield* emptyQueue
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeOrganization()
      const fill = Effect.flatMap(accept(own, 3), (messages) =>
        Effect.as(
          Effect.forEach(messages.slice(2), ({ id }) => multiply(id, 4_000)),
          messages
        )
      )
      yield* fill
      // Statistics of a table that is as long as before, and empty.
      yield* sql`DELETE FROM message_queue`
      yield* sql`ANALYZE message_queue`
      const [younger, older] = yield* fill
      yield* sql`UPDATE message_queue SET due_since = now() - interval '73 hours' WHERE message_id = ${younger?.id ?? ""}`
      yield* sql`UPDATE message_queue SET due_since = now() - interval '74 hours' WHERE message_id = ${older?.id ?? ""}`
      const read = yield* sql.withTransaction(
        Effect.gen(function* () {
          const before = yield* entriesRead
          const [first] = yield* take("w", { limit: 1, expiredOnly: true })
          assert.strictEqual(first?.messageId, older?.id)
          const rest = yield* take("w", { limit: 10, expiredOnly: true })
          assert.deepStrictEqual(
            rest.map(({ messageId }) => messageId),
            younger === undefined ? [] : [younger.id]
          )
          return (yield* entriesRead) - before
        })
      )
      assert.isBelow(read, 20)
    })
  )

  it.effect("says that something became ready, and goes on saying so after a lost connection", () =>
    Effect.scoped(
      Effect.gen(function* () {
        yield* emptyQueue
        const sql = yield* SqlClient.SqlClient
        const queue = yield* DeliveryQueue
        const own = yield* makeOrganization()
        const heard = (times: number) =>
          Effect.gen(function* () {
            const done = yield* Deferred.make<void>()
            yield* Effect.forkScoped(
              Effect.zipRight(Stream.runDrain(Stream.take(queue.woken, times)), Deferred.succeed(done, undefined))
            )
            return done
          })
        // One wake-up each for: being connected, the accept, and the connection after the lost one.
        const done = yield* heard(3)
        const listening = sql`SELECT pid FROM pg_stat_activity WHERE query ILIKE 'listen%' AND datname = current_database()`
        yield* Effect.repeat(listening, {
          until: (rows) => rows.length > 0,
          schedule: Schedule.spaced("20 millis")
        })
        yield* accept(own, 1)
        yield* sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE query ILIKE 'listen%' AND datname = current_database()`
        assert.isTrue(Option.isSome(yield* Effect.timeoutOption(Deferred.await(done), "10 seconds")))
      })
    )
  )

  it.effect("reads hardly more than it takes, however much waits and whatever the statistics say", () =>
    Effect.gen(function* () {
      yield* emptyQueue
      const sql = yield* SqlClient.SqlClient
      const [noisy, ...others] = yield* Effect.forEach(Array.range(1, 51), () => makeOrganization())
      const fill = Effect.gen(function* () {
        yield* Effect.forEach(others, (own) => accept(own, 1))
        const first = noisy === undefined ? [] : yield* accept(noisy, 1)
        yield* Effect.forEach(first, ({ id }) => multiply(id, 4_000))
      })
      yield* fill
      // Statistics of a table that is as long as before, and empty.
      yield* sql`DELETE FROM message_queue`
      yield* sql`ANALYZE message_queue`
      yield* fill
      const read = yield* sql.withTransaction(
        Effect.gen(function* () {
          const before = yield* entriesRead
          const taken = yield* take("w", { limit: 100 })
          assert.strictEqual(taken.length, 100)
          assert.strictEqual(new Set(taken.map(({ organizationId }) => organizationId)).size, 51)
          yield* settle("w", taken, accepted)
          return (yield* entriesRead) - before
        })
      )
      assert.isBelow(read, 1000)
    })
  )

  it.effect("leaves to other workers what it does not take itself", () =>
    Effect.gen(function* () {
      yield* emptyQueue
      const sql = yield* SqlClient.SqlClient
      const owners = yield* Effect.replicateEffect(makeOrganization(), 5)
      yield* Effect.forEach(owners, (own) => accept(own, 20))
      const outside = yield* Effect.context<DeliveryQueue>()
      const [own, others] = yield* sql.withTransaction(
        Effect.all([
          take("w", { limit: 20 }),
          take("other").pipe(
            Effect.mapInputContext((_: Context.Context<never>) => outside),
            Effect.timeout("5 seconds")
          )
        ])
      )
      assert.strictEqual(own.length, 20)
      assert.strictEqual(others.length, 80)
    })
  )

  it.effect("gives what those with little leave to those with more, up to what one organization may have", () =>
    Effect.gen(function* () {
      yield* emptyQueue
      const [noisy, quiet] = yield* Effect.all([makeOrganization(), makeOrganization()])
      yield* accept(noisy, 30)
      yield* accept(quiet, 1)
      const few = yield* take("w", { limit: 20, perOrganization: 5 })
      assert.strictEqual(few.length, 6)
      yield* accept(quiet, 1)
      assert.strictEqual((yield* take("w", { limit: 20 })).length, 20)
    })
  )

  it.effect("begins each take with the organization after the one where the last take ended", () =>
    Effect.gen(function* () {
      yield* emptyQueue
      const owners = yield* Effect.replicateEffect(makeOrganization(), 3)
      yield* Effect.forEach(owners, (own) => accept(own, 4))
      const takes = yield* Effect.replicateEffect(take("w", { limit: 2 }), 6)
      const turns = takes.flatMap((taken) => taken.map(({ organizationId }) => organizationId))
      assert.strictEqual(turns.length, 12)
      assert.deepStrictEqual(
        Array.chunksOf(turns, 3).map((turn) => new Set(turn).size),
        [3, 3, 3, 3]
      )
    })
  )

  it.effect("gives each message its own attachments, in order", () =>
    Effect.gen(function* () {
      yield* emptyQueue
      const repo = yield* MessageRepo
      const own = yield* makeOrganization()
      const withFiles = (...names: ReadonlyArray<string>) =>
        Effect.flatMap(newMessage(own), (message) => {
          const attachments = names.map((filename) => ({
            filename,
            contentType: "text/plain",
            contentId: null,
            content: new TextEncoder().encode(`in ${filename}`)
          }))
          return repo.accept({ ...message, attachments })
        })
      yield* withFiles("b", "a")
      yield* withFiles()
      yield* withFiles("c")
      const taken = yield* take("w")
      assert.deepStrictEqual(
        taken.map(({ attachments }) =>
          attachments.map(({ content, filename }) => `${filename}: ${new TextDecoder().decode(content)}`)
        ),
        [["b: in b", "a: in a"], [], ["c: in c"]]
      )
    })
  )

  it.effect("takes no more attachments than it has room for, and leaves the rest as it was", () =>
    Effect.gen(function* () {
      yield* emptyQueue
      const own = yield* makeOrganization()
      const accepted = yield* acceptWithFiles(
        own,
        Array.makeBy(10, () => [10 * mebibyte])
      )
      const takes: Array<ReadonlyArray<TakenMessage>> = []
      for (let done = false; !done; ) {
        const taken = yield* take("w", { attachmentBytes: 32 * mebibyte })
        takes.push(taken)
        done = taken.length === 0
      }
      assert.deepStrictEqual(
        takes.map((taken) => taken.length),
        [3, 3, 3, 1, 0]
      )
      assert.deepStrictEqual(
        takes.flat().map(({ messageId }) => messageId),
        accepted
      )
      assert.isTrue(
        takes
          .flat()
          .every(
            ({ attachments, state, takeovers }) =>
              attachments[0]?.content.byteLength === 10 * mebibyte &&
              state.deliveryAttempts === 1 &&
              state.statusHistory.length === 2 &&
              takeovers === 0
          )
      )
    })
  )

  it.effect("always takes one, however little room there is, and all of those without attachments before it", () =>
    Effect.gen(function* () {
      yield* emptyQueue
      const own = yield* makeOrganization()
      const [first, second, large, last] = yield* acceptWithFiles(own, [[], [], [600, 400], []])
      const taken = (attachmentBytes: number) =>
        Effect.map(take("w", { attachmentBytes }), (messages) => messages.map(({ messageId }) => messageId))
      assert.deepStrictEqual(yield* taken(999), [first, second])
      assert.deepStrictEqual(yield* taken(0), [large])
      assert.deepStrictEqual(yield* taken(0), [last])
      const [exact] = yield* acceptWithFiles(own, [[600, 400], [1]])
      assert.deepStrictEqual(yield* taken(1000), [exact])
    })
  )

  it.effect("the next take begins after the organization whose message was the last to fit", () =>
    Effect.gen(function* () {
      yield* emptyQueue
      const owners = yield* Effect.replicateEffect(makeOrganization(), 3)
      yield* Effect.forEach(owners, (own) => acceptWithFiles(own, [[100], [100]]))
      const takes = yield* Effect.replicateEffect(take("w", { attachmentBytes: 200 }), 3)
      const turns = takes.flatMap((taken) => taken.map(({ organizationId }) => organizationId))
      assert.deepStrictEqual(
        Array.chunksOf(turns, 3).map((turn) => new Set(turn).size),
        [3, 3]
      )
    })
  )

  it.effect("tells the workers that something is left, for who looked meanwhile saw nothing", () =>
    Effect.scoped(
      Effect.gen(function* () {
        yield* emptyQueue
        const sql = yield* SqlClient.SqlClient
        const queue = yield* DeliveryQueue
        const own = yield* makeOrganization()
        yield* acceptWithFiles(own, [[100], [100]])
        const heard = yield* Queue.unbounded<void>()
        yield* Effect.forkScoped(Stream.runForEach(queue.woken, () => Queue.offer(heard, undefined)))
        yield* Queue.take(heard)
        yield* take("w", { attachmentBytes: 100 })
        assert.isTrue(Option.isSome(yield* Effect.timeoutOption(Queue.take(heard), "10 seconds")))
        // A take that leaves nothing behind wakes nobody: what is heard next is the mark.
        yield* take("w", { attachmentBytes: 100 })
        yield* sql`SELECT pg_notify('switchboard_queue', '')`
        yield* Queue.take(heard)
        assert.strictEqual(yield* Queue.size(heard), 0)
      })
    )
  )

  it.effect("what is too old comes without its attachments, all at once", () =>
    Effect.gen(function* () {
      yield* emptyQueue
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeOrganization()
      yield* acceptWithFiles(own, [[100], [100]])
      yield* sql`UPDATE message_queue SET due_since = now() - interval '73 hours'`
      const late = yield* take("w", { expiredOnly: true, attachmentBytes: 0 })
      assert.deepStrictEqual(
        late.map(({ attachments }) => attachments.length),
        [0, 0]
      )
    })
  )

  it.effect("an entry whose message is gone leaves the queue, and keeps nobody from the rest", () =>
    Effect.gen(function* () {
      yield* emptyQueue
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeOrganization()
      const [gone, kept] = yield* accept(own, 2)
      yield* sql`DELETE FROM messages WHERE id = ${gone?.id ?? ""}`
      assert.deepStrictEqual(
        (yield* take("w")).map(({ messageId }) => messageId),
        kept === undefined ? [] : [kept.id]
      )
      assert.strictEqual((yield* Effect.flatMap(DeliveryQueue, (queue) => queue.depth)).leased, 1)
    })
  )
})
