import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { Participants } from "@switchboard/services/participants/Participants"
import { receive } from "@switchboard/store/testing/email/receiving/MailFixtures"
import { makeOrganization, newMessage } from "@switchboard/store/testing/messages/Fixtures"
import { Deferred, Effect, Fiber, Schedule, Schema } from "effect"
import { MailLive } from "../messages/MailLive.js"

const ada = Schema.decodeSync(EmailAddress)("ada@example.com")

/** Waits until this many connections of the database wait for a lock. */
const awaitLockWaits = (count: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  ).pipe(Effect.repeat({ until: (rows) => rows.length === count, schedule: Schedule.spaced("5 millis") }))

/** Starts both effects in this order and lets neither finish before both wait for a lock. */
const runConcurrently = <A, E, R, B, E2, R2>(
  own: OrganizationId,
  one: Effect.Effect<A, E, R>,
  other: Effect.Effect<B, E2, R2>
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [locked, release] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    // Both write this row last, so its lock stops them.
    const lock = yield* Effect.fork(
      sql.withTransaction(
        sql`SELECT 1 FROM organization_usage WHERE organization_id = ${own} FOR UPDATE`.pipe(
          Effect.zipRight(Deferred.succeed(locked, undefined)),
          Effect.zipRight(Deferred.await(release))
        )
      )
    )
    yield* Deferred.await(locked)
    const first = yield* Effect.fork(Effect.either(one))
    yield* awaitLockWaits(1)
    const second = yield* Effect.fork(Effect.either(other))
    yield* awaitLockWaits(2)
    yield* Deferred.succeed(release, undefined)
    yield* Fiber.join(lock)
    return [(yield* Fiber.join(first))._tag, (yield* Fiber.join(second))._tag] as const
  })

/** A contact without messages, and the effects that race with its removal. */
const contact = Effect.gen(function* () {
  const own = yield* makeOrganization()
  const participants = yield* Participants
  // Creates the other participants in advance, so that only the contact is inserted or locked.
  yield* Effect.flatMap(newMessage(own, { to: ["bob@example.com"] }), (yield* MessageRepo).accept)
  const { id } = yield* participants.create(own, { name: "Ada", email: ada })
  return {
    own,
    id,
    remove: participants.remove(own, id),
    send: Effect.flatMap(Effect.zip(MessageRepo, newMessage(own, { to: [ada] })), ([{ accept }, message]) =>
      accept(message)
    ),
    receive: receive(own, { from: { name: "Ada", address: ada } })
  }
})

/** Participants of messages that do not exist. */
const danglingReferences = (own: OrganizationId) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`SELECT m.participant_id FROM message_participants AS m
        LEFT JOIN participants AS p ON p.organization_id = m.organization_id AND p.id = m.participant_id
      WHERE m.organization_id = ${own} AND p.id IS NULL`
  )

layer(MailLive, { excludeTestServices: true })("A contact that is removed concurrently", (it) => {
  it.effect("is created again by a send that had found it", () =>
    Effect.gen(function* () {
      const { own, remove, send } = yield* contact
      assert.deepStrictEqual(yield* runConcurrently(own, remove, send), ["Right", "Right"])
      assert.deepStrictEqual(yield* danglingReferences(own), [])
    })
  )

  it.effect("is created again by a received mail that had found it", () =>
    Effect.gen(function* () {
      const { own, receive, remove } = yield* contact
      assert.deepStrictEqual(yield* runConcurrently(own, remove, receive), ["Right", "Right"])
      assert.deepStrictEqual(yield* danglingReferences(own), [])
    })
  )

  it.effect("is not removed if a send or a received mail commits first", () =>
    Effect.gen(function* () {
      const sent = yield* contact
      assert.deepStrictEqual(yield* runConcurrently(sent.own, sent.send, sent.remove), ["Right", "Left"])
      assert.deepStrictEqual(yield* danglingReferences(sent.own), [])
      const received = yield* contact
      assert.deepStrictEqual(yield* runConcurrently(received.own, received.receive, received.remove), ["Right", "Left"])
      assert.deepStrictEqual(yield* danglingReferences(received.own), [])
    })
  )
})
