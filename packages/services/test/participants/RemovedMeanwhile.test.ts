import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { ReceivedMessages } from "@switchboard/services/email/receiving/ReceivedMessages"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { Participants } from "@switchboard/services/participants/Participants"
import { ReceivedMessageRepoSql } from "@switchboard/store/email/receiving/ReceivedMessageRepoSql"
import { MessageRepoSql } from "@switchboard/store/messages/MessageRepoSql"
import { OrganizationRepoSql } from "@switchboard/store/organizations/OrganizationRepoSql"
import { ParticipantRepoSql } from "@switchboard/store/participants/ParticipantRepoSql"
import { receive } from "@switchboard/store/testing/email/receiving/MailFixtures"
import { makeOrganization, newMessage } from "@switchboard/store/testing/messages/Fixtures"
import { TestDatabase, TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Deferred, Effect, Fiber, Layer, Schedule, Schema } from "effect"
import { objectsInMemory } from "../objects/ObjectsInMemory.js"

const Live = Layer.merge(Participants.Default, ReceivedMessages.Default).pipe(
  Layer.provide(Layer.mergeAll(objectsInMemory(), ReceivedMessageRepoSql, ParticipantRepoSql)),
  Layer.provideMerge(Layer.merge(MessageRepoSql, OrganizationRepoSql)),
  Layer.provideMerge(TestDatabase),
  Layer.provideMerge(TestDatabaseUrl.Live)
)

const ada = Schema.decodeSync(EmailAddress)("ada@example.com")

/** So many in this database wait for somebody else's transaction. */
const waiting = (howMany: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  ).pipe(Effect.repeat({ until: (rows) => rows.length === howMany, schedule: Schedule.spaced("5 millis") }))

/** Two that begin one after the other, and are both under way before either is done. */
const meanwhile = <A, E, R, B, E2, R2>(
  own: OrganizationId,
  one: Effect.Effect<A, E, R>,
  other: Effect.Effect<B, E2, R2>
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [held, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    // What they write last is held until both wait.
    const holding = yield* Effect.fork(
      sql.withTransaction(
        sql`SELECT 1 FROM organization_usage WHERE organization_id = ${own} FOR UPDATE`.pipe(
          Effect.zipRight(Deferred.succeed(held, undefined)),
          Effect.zipRight(Deferred.await(go))
        )
      )
    )
    yield* Deferred.await(held)
    const first = yield* Effect.fork(Effect.either(one))
    yield* waiting(1)
    const second = yield* Effect.fork(Effect.either(other))
    yield* waiting(2)
    yield* Deferred.succeed(go, undefined)
    yield* Fiber.join(holding)
    return [(yield* Fiber.join(first))._tag, (yield* Fiber.join(second))._tag] as const
  })

/** A contact whom nothing names yet, and what may happen to it. */
const contact = Effect.gen(function* () {
  const own = yield* makeOrganization()
  const participants = yield* Participants
  // The sender is known, and so is what mail comes to: nobody but the contact is made or waited for.
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

/** Names in messages that are nobody's. */
const nameless = (own: OrganizationId) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`SELECT m.participant_id FROM message_participants AS m
        LEFT JOIN participants AS p ON p.organization_id = m.organization_id AND p.id = m.participant_id
      WHERE m.organization_id = ${own} AND p.id IS NULL`
  )

layer(Live, { timeout: "300 seconds", excludeTestServices: true })("A contact that is removed", (it) => {
  it.effect("is somebody new to a send that had found it", () =>
    Effect.gen(function* () {
      const { own, remove, send } = yield* contact
      assert.deepStrictEqual(yield* meanwhile(own, remove, send), ["Right", "Right"])
      assert.deepStrictEqual(yield* nameless(own), [])
    })
  )

  it.effect("is somebody new to a mail of theirs that just comes in", () =>
    Effect.gen(function* () {
      const { own, receive, remove } = yield* contact
      assert.deepStrictEqual(yield* meanwhile(own, remove, receive), ["Right", "Right"])
      assert.deepStrictEqual(yield* nameless(own), [])
    })
  )

  it.effect("stays if a send, or a mail of theirs, was there before", () =>
    Effect.gen(function* () {
      const sent = yield* contact
      assert.deepStrictEqual(yield* meanwhile(sent.own, sent.send, sent.remove), ["Right", "Left"])
      assert.deepStrictEqual(yield* nameless(sent.own), [])
      const received = yield* contact
      assert.deepStrictEqual(yield* meanwhile(received.own, received.receive, received.remove), ["Right", "Left"])
      assert.deepStrictEqual(yield* nameless(received.own), [])
    })
  )
})
