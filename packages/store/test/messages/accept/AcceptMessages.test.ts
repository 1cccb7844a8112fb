import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { MessageRepo, type NewMessage } from "@switchboard/services/messages/MessageRepo"
import { acceptMessages } from "@switchboard/store/messages/accept/AcceptMessages"
import { findReplays } from "@switchboard/store/messages/accept/FindReplays"
import { MessageRepoSql } from "@switchboard/store/messages/MessageRepoSql"
import { Array, Context, Deferred, Effect, Exit, Fiber, Layer, Schedule } from "effect"
import { countRows } from "../../StoredRows.js"
import { StoreLive } from "../../StoreLive.js"
import { TestDatabase } from "../../TestDatabase.js"
import { makeOrganization, newMessage } from "../Fixtures.js"

const only = <A, E, E2, R>(results: Effect.Effect<ReadonlyArray<Effect.Effect<A, E>>, E2, R>) =>
  Effect.flatMap(results, ([result]) => result ?? Effect.dieMessage("no result"))

const acceptBatch = (batch: ReadonlyArray<NewMessage>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => acceptMessages(sql, (send) => only(findReplays(sql)([send])))(batch))

/** Accepts a batch. Returns the result of each send, in order. */
const accept = (batch: ReadonlyArray<NewMessage>) =>
  Effect.flatMap(acceptBatch(batch), (results) => Effect.forEach(results, Effect.either))

const acceptOne = (message: NewMessage) => only(acceptBatch([message]))

/** Waits until a transaction in this database waits for a lock. */
const awaitLockWait = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
).pipe(Effect.repeat({ until: (rows) => rows.length > 0, schedule: Schedule.spaced("5 millis") }))

/** Creates the default participants, so that later sends do not wait for each other. */
const createParticipants = (own: OrganizationId) => Effect.flatMap(newMessage(own, { isTest: true }), acceptOne)

/** Accepts the second message while the first is not committed, so that its snapshot does not include the first. */
const race = (first: NewMessage, second: NewMessage) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const written = yield* Deferred.make<void>()
    const go = yield* Deferred.make<void>()
    const one = yield* Effect.fork(
      sql.withTransaction(
        Effect.tap(acceptOne(first), () => Effect.zipRight(Deferred.succeed(written, undefined), Deferred.await(go)))
      )
    )
    yield* Deferred.await(written)
    const other = yield* Effect.fork(Effect.either(acceptOne(second)))
    yield* awaitLockWait
    yield* Deferred.succeed(go, undefined)
    return [yield* Fiber.join(one), yield* Fiber.join(other)] as const
  })

const usage = (organization: OrganizationId) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql`SELECT messages_used_this_month::int AS month, email_used::int AS email, messages_kept::int AS kept
        FROM organization_usage WHERE organization_id = ${organization}`,
      ([row]) => row
    )
  )

layer(StoreLive, { excludeTestServices: true })("acceptMessages on PostgreSQL", (it) => {
  it.effect("uses the participants that a concurrent transaction creates", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const to = Array.makeBy(20, (n) => `u${n}@example.com`)
      const [one, other] = yield* race(
        yield* newMessage(own, { to }),
        yield* newMessage(own, { to: [...to, "new@example.com"].reverse() })
      )
      if (other._tag === "Left") return assert.fail(other.left._tag)
      assert.strictEqual(one.message.fromParticipantId, other.right.message.fromParticipantId)
      assert.deepStrictEqual(other.right.message.toParticipantIds.slice(1), [...one.message.toParticipantIds].reverse())
      assert.strictEqual(yield* countRows("participants", own), 22)
      assert.strictEqual(yield* countRows("participant_addresses", own), 22)
      assert.strictEqual(yield* countRows("message_participants", own), 21 + 22)
    })
  )

  const same = { contentHash: "same" }
  it.effect.each([
    { what: "a key", earlier: {}, first: { key: "once" }, second: { key: "once", to: ["other@example.com"] } },
    { what: "a content", earlier: {}, first: same, second: same },
    { what: "a content whose earlier message failed", earlier: same, first: same, second: same }
  ])("returns the message that a concurrent transaction stores with $what", ({ earlier, first, second }) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeOrganization()
      yield* acceptOne(yield* newMessage(own, { isTest: true, ...earlier }))
      yield* sql`UPDATE message_states SET status = 'failed' WHERE organization_id = ${own}`
      const [one, other] = yield* race(yield* newMessage(own, first), yield* newMessage(own, second))
      if (other._tag === "Left") return assert.fail(other.left._tag)
      assert.deepStrictEqual([other.right.replayed, other.right.message.id], [true, one.message.id])
      assert.strictEqual(yield* countRows("messages", own), 2)
      assert.strictEqual(yield* countRows("participants", own), 2)
      assert.deepStrictEqual(yield* usage(own), { month: 1, email: 1, kept: 2 })
    })
  )

  it.effect("accepts two messages with the same content and different keys, also concurrently", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      yield* createParticipants(own)
      const [one, other] = yield* race(
        yield* newMessage(own, { contentHash: "same", key: "one" }),
        yield* newMessage(own, { contentHash: "same", key: "two" })
      )
      if (other._tag === "Left") return assert.fail(other.left._tag)
      assert.isFalse(other.right.replayed)
      assert.notStrictEqual(one.message.id, other.right.message.id)
    })
  )

  it.effect("refuses a send beyond the plan after a concurrent transaction", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeOrganization("free")
      yield* createParticipants(own)
      yield* sql`UPDATE organization_usage SET messages_used_this_month = 999 WHERE organization_id = ${own}`
      const [, other] = yield* race(
        yield* newMessage(own, { key: "one" }),
        yield* newMessage(own, { key: "two", to: ["other@example.com"] })
      )
      if (other._tag === "Right") return assert.fail("accepted beyond the plan")
      assert.strictEqual(other.left._tag, "PaymentRequiredError")
      assert.deepStrictEqual(yield* usage(own), { month: 1000, email: 1, kept: 2 })
      assert.strictEqual(yield* countRows("message_claims", own), 1)
      assert.strictEqual(yield* countRows("participants", own), 2)
    })
  )

  it.effect("applies each organization's plan to a batch, and stores nothing of refused sends", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [near, far, full] = yield* Effect.all([
        makeOrganization("free"),
        makeOrganization(),
        makeOrganization("free")
      ])
      yield* sql`UPDATE organization_usage SET messages_used_this_month = 998 WHERE organization_id = ${near}`
      yield* sql`UPDATE organization_usage SET messages_used_this_month = 1500 WHERE organization_id = ${full}`
      const file = { filename: "a.txt", contentType: "text/plain", contentId: null, content: Buffer.from("a") }
      const batch = yield* Effect.all([
        newMessage(near, { key: "1" }),
        newMessage(full, { key: "1" }),
        newMessage(near, { isTest: true }),
        newMessage(far, { key: "1" }),
        newMessage(near, { key: "2" }),
        newMessage(near, { key: "3", to: ["refused@example.com"] }),
        newMessage(full, { isTest: true }),
        newMessage(far),
        newMessage(near, { to: ["refused@example.com"] })
      ])
      const ends = yield* accept(batch.map((message) => ({ ...message, attachments: [file] })))
      assert.deepStrictEqual(
        ends.map((end) =>
          end._tag === "Right"
            ? end.right.replayed
            : end.left._tag === "PaymentRequiredError"
              ? [end.left.currentUsage, end.left.limit]
              : end.left._tag
        ),
        [false, [1500, 1000], false, false, false, [1000, 1000], false, false, [1000, 1000]]
      )
      assert.deepStrictEqual(yield* usage(near), { month: 1000, email: 2, kept: 3 })
      assert.deepStrictEqual(yield* usage(far), { month: 2, email: 2, kept: 2 })
      assert.deepStrictEqual(yield* usage(full), { month: 1500, email: 0, kept: 1 })
      const counts = yield* Effect.forEach(
        [
          "messages",
          "message_states",
          "message_contents",
          "message_queue",
          "message_attachments",
          "message_claims",
          "participants",
          "participant_addresses",
          "message_participants",
          "events"
        ],
        (table) => countRows(table, near)
      )
      assert.deepStrictEqual(counts, [3, 3, 3, 3, 3, 2, 2, 2, 6, 3])
    })
  )

  it.effect("stores a participant once if it has two addresses or is also the sender", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeOrganization()
      const first = yield* acceptOne(yield* newMessage(own, { to: ["ada@example.com"] }))
      const [ada] = first.message.toParticipantIds
      yield* sql`INSERT INTO participant_addresses (organization_id, kind, address, participant_id)
        VALUES (${own}, 'email', 'ada@example.org', ${ada})`
      const { message } = yield* acceptOne(
        yield* newMessage(own, {
          to: ["bob@example.com", "us@localhost.test", "ADA@example.org", "ada@example.com", "eve@example.com"]
        })
      )
      assert.deepStrictEqual(
        message.toParticipants?.map(({ name }) => name),
        ["bob@example.com", "Us", "ada@example.com", "eve@example.com"]
      )
      assert.strictEqual(message.fromParticipantId, message.toParticipantIds[1])
      assert.strictEqual(message.toParticipantIds[2], ada)
    })
  )

  it.effect("accepts two hundred concurrent sends on two pools once each, without a deadlock", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const repo = Effect.map(
          Layer.build(Layer.fresh(MessageRepoSql.pipe(Layer.provide(Layer.fresh(TestDatabase))))),
          Context.get(MessageRepo)
        )
        const [here, there] = yield* Effect.all([repo, repo])
        const sql = yield* SqlClient.SqlClient
        const deadlocks = sql`SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`
        const before = yield* deadlocks
        const [one, two] = yield* Effect.all([makeOrganization(), makeOrganization()])
        const people = Array.makeBy(30, (n) => `u${n}@example.com`)
        // Each key twice, the participants in both orders, the organizations alternating.
        const sends = yield* Effect.forEach(Array.range(0, 199), (n) =>
          newMessage(n % 4 < 2 ? one : two, {
            key: `${n >> 3}-${n % 4}`,
            to: (n & 4 ? [...people].reverse() : people).slice(n % 7, 20 + (n % 5))
          })
        )
        const results = yield* Effect.forEach(
          sends,
          (send, index) => Effect.exit((index % 2 ? here : there).accept(send)),
          { concurrency: "unbounded" }
        )
        const done = results.flatMap((exit) => (Exit.isSuccess(exit) ? [exit.value] : []))
        assert.strictEqual(done.length, 200)
        assert.strictEqual(new Set(done.map(({ message }) => message.id)).size, 100)
        assert.strictEqual(done.filter(({ replayed }) => !replayed).length, 100)
        for (const own of [one, two]) {
          assert.deepStrictEqual(yield* usage(own), { month: 50, email: 50, kept: 50 })
          assert.strictEqual(yield* countRows("message_claims", own), 50)
          assert.strictEqual(yield* countRows("participants", own), yield* countRows("participant_addresses", own))
        }
        const lost =
          yield* sql`SELECT 1 FROM message_participants AS m WHERE organization_id IN ${sql.in([one, two])} AND NOT EXISTS (SELECT 1 FROM participants AS p
          WHERE p.organization_id = m.organization_id AND p.id = m.participant_id)`
        assert.deepStrictEqual([...lost], [])
        assert.deepStrictEqual(yield* deadlocks, before)
      })
    )
  )
})
