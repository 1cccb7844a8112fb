import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { EventId, type EventType } from "@switchboard/domain/events/EventType"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { RollupRepo } from "@switchboard/services/analytics/RollupRepo"
import { type EventPage, type EventPosition, EventRepo } from "@switchboard/services/events/EventRepo"
import { encodeEvent } from "@switchboard/services/events/StoredEvent"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { insertEvents } from "@switchboard/store/events/InsertEvents"
import { Deferred, Effect, Fiber, Option } from "effect"
import { v7 } from "uuid"
import { makeOrganization, newMessage } from "../messages/Fixtures.js"
import { StoreLive } from "../StoreLive.js"
import { newEvent, options, writeEvents } from "../webhooks/Fixtures.js"

const all = (_: EventType) => true

const next = (organization: OrganizationId, position: EventPosition | null = null, limit = 100, matches = all) =>
  Effect.flatMap(EventRepo, ({ after }) => after(organization, position, limit, matches))

const idsOf = ({ events }: EventPage) => events.map(({ event }) => event.id)

const accept = (organization: OrganizationId) =>
  Effect.gen(function* () {
    const messages = yield* MessageRepo
    const message = yield* newMessage(organization)
    yield* messages.accept(message)
    return message.facts
  })

/** A transaction that writes its event and ends on request. */
const transaction = (organization: OrganizationId, id: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [begun, write, written, end] = yield* Effect.all([
      Deferred.make<void>(),
      Deferred.make<void>(),
      Deferred.make<void>(),
      Deferred.make<void>()
    ])
    const event = { ...(yield* newEvent(organization)), id: EventId.make(id) }
    const fiber = yield* Effect.fork(
      sql.withTransaction(
        Effect.gen(function* () {
          yield* Deferred.succeed(begun, undefined)
          yield* Deferred.await(write)
          yield* insertEvents(sql, [event])
          yield* Deferred.succeed(written, undefined)
          yield* Deferred.await(end)
        })
      )
    )
    yield* Deferred.await(begun)
    return {
      write: Effect.zipRight(Deferred.succeed(write, undefined), Deferred.await(written)),
      end: Effect.zipRight(Deferred.succeed(end, undefined), Fiber.join(fiber))
    }
  })

/** A reader's events and position. */
const nothingRead: { readonly position: EventPosition | null; readonly ids: ReadonlyArray<string> } = {
  position: null,
  ids: []
}

layer(StoreLive, options)("EventRepo (PostgreSQL)", (it) => {
  it.effect("returns events in order, in pages, each once", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const first = yield* writeEvents(organization, "api_key.created", "api_key.rotated")
      const second = yield* writeEvents(organization, "organization.updated")
      const ids = [...first, ...second].map(({ id }) => id)
      const complete = yield* next(organization)
      assert.deepStrictEqual(idsOf(complete), ids)
      assert.deepStrictEqual(complete.events[0]?.event, first[0])
      assert.isFalse(complete.isFull)
      const two = yield* next(organization, null, 2)
      assert.deepStrictEqual([idsOf(two), two.isFull], [ids.slice(0, 2), true])
      const rest = yield* next(organization, two.position, 2)
      assert.deepStrictEqual([idsOf(rest), rest.isFull], [ids.slice(2), false])
      const none = yield* next(organization, rest.position, 2)
      assert.deepStrictEqual(none, { events: [], position: rest.position, isFull: false })
    })
  )

  it.effect("continues after an event by its id, and after the newest one", () =>
    Effect.gen(function* () {
      const { position, positionOf } = yield* EventRepo
      const organization = yield* makeOrganization()
      assert.isNull(yield* position(organization))
      const [first, second] = yield* writeEvents(organization, "api_key.created", "api_key.deleted")
      yield* next(organization)
      const received = yield* positionOf(organization, EventId.make(first?.id ?? ""))
      assert.deepStrictEqual(idsOf(yield* next(organization, Option.getOrNull(received))), [second?.id])
      const newest = yield* position(organization)
      assert.strictEqual(newest?.id, second?.id)
      assert.deepStrictEqual(idsOf(yield* next(organization, newest)), [])
      const [third] = yield* writeEvents(organization, "organization.updated")
      assert.deepStrictEqual(idsOf(yield* next(organization, newest)), [third?.id])
    })
  )

  it.effect("returns none for other organizations' events and unknown ids", () =>
    Effect.gen(function* () {
      const { position, positionOf } = yield* EventRepo
      const [mine, other] = [yield* makeOrganization(), yield* makeOrganization()]
      const [event] = yield* writeEvents(other, "api_key.created")
      const page = yield* next(other)
      assert.deepStrictEqual(yield* next(mine), { events: [], position: null, isFull: false })
      assert.isNull(yield* position(mine))
      assert.isTrue(Option.isNone(yield* positionOf(mine, EventId.make(event?.id ?? ""))))
      assert.isTrue(Option.isNone(yield* positionOf(mine, EventId.make(v7()))))
      assert.deepStrictEqual(idsOf(yield* next(mine, page.position)), [])
    })
  )

  it.effect("skips events that do not match, and continues after them", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      yield* writeEvents(organization, "api_key.created", "organization.updated", "api_key.deleted")
      yield* next(organization)
      const matches = (type: EventType) => type === "organization.updated"
      const page = yield* next(organization, null, 3, matches)
      assert.deepStrictEqual(
        page.events.map(({ event }) => event.type),
        ["organization.updated"]
      )
      assert.isTrue(page.isFull)
      assert.deepStrictEqual(idsOf(yield* next(organization, page.position)), [])
    })
  )

  it.effect("returns the messages of events, except deleted ones", () =>
    Effect.gen(function* () {
      const { remove } = yield* MessageRepo
      const organization = yield* makeOrganization()
      const [kept, deleted] = [yield* accept(organization), yield* accept(organization)]
      yield* remove(organization, deleted.id)
      const { events } = yield* next(organization)
      const results = events.map(({ event, message }) => [
        event.type,
        event.subjectId,
        encodeEvent(event, message) === null
      ])
      assert.deepStrictEqual(results, [
        ["message.created", kept.id, false],
        ["message.created", deleted.id, true],
        ["message.deleted", deleted.id, false]
      ])
    })
  )

  for (const ids of ["rise", "fall"] as const) {
    it.effect(`returns committed events while an earlier transaction is open, and its event later, if ids ${ids}`, () =>
      Effect.gen(function* () {
        const { position, positionOf } = yield* EventRepo
        const organization = yield* makeOrganization()
        yield* writeEvents(organization, "api_key.created")
        const start = (yield* next(organization)).position
        const [low, high] = [v7(), v7()].sort()
        const [firstId = "", secondId = ""] = ids === "rise" ? [low, high] : [high, low]
        const first = yield* transaction(organization, firstId)
        const second = yield* transaction(organization, secondId)
        yield* first.write
        const early = yield* Effect.zipRight(second.write, next(organization, start))
        yield* second.end
        const between = yield* next(organization, early.position)
        const fromNow = yield* position(organization)
        yield* first.end
        const rest = yield* next(organization, between.position)
        assert.deepStrictEqual([early, between, rest].map(idsOf), [[], [secondId], [firstId]])
        assert.deepStrictEqual(idsOf(yield* next(organization, fromNow)), [firstId])
        assert.deepStrictEqual(idsOf(yield* next(organization, start)), [secondId, firstId])
        const resumed = yield* Effect.forEach([firstId, secondId], (id) => positionOf(organization, EventId.make(id)))
        assert.deepStrictEqual(
          yield* Effect.forEach(resumed, (found) => Effect.map(next(organization, Option.getOrNull(found)), idsOf)),
          [[], [firstId]]
        )
      })
    )
  }

  it.effect("returns an event after the events committed before it, in any order of ids", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const organization = yield* makeOrganization()
      const [low, high] = [v7(), v7()].sort()
      for (const id of [high, low]) {
        yield* insertEvents(sql, [{ ...(yield* newEvent(organization)), id: EventId.make(id ?? "") }])
      }
      assert.deepStrictEqual(idsOf(yield* next(organization)), [high, low])
    })
  )

  it.effect("starts at a stored event if the newest ones of its batch are deleted", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { position, positionOf } = yield* EventRepo
      const organization = yield* makeOrganization()
      const [first, second] = yield* writeEvents(organization, "api_key.created", "api_key.deleted")
      yield* sql`DELETE FROM events WHERE organization_id = ${organization} AND id = ${second?.id ?? ""}`
      const newest = yield* position(organization)
      assert.strictEqual(newest?.id, first?.id)
      assert.isTrue(newest !== null && Option.isSome(yield* positionOf(organization, newest.id)))
    })
  )

  it.effect("numbers the events of all organizations that no reader has numbered", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { project } = yield* RollupRepo
      const organizations = yield* Effect.replicateEffect(makeOrganization(), 3)
      yield* project
      yield* Effect.forEach(organizations, (one) =>
        Effect.zipRight(writeEvents(one, "api_key.created"), writeEvents(one, "api_key.deleted"))
      )
      const [before] = yield* sql`SELECT count(*)::int AS count FROM new_event_batches`
      assert.deepStrictEqual(before, { count: 6 })
      assert.strictEqual(yield* project, 6)
      assert.strictEqual(yield* project, 0)
      const positions = yield* sql`SELECT array_agg(position::int ORDER BY position) AS positions FROM event_batches
        WHERE organization_id IN ${sql.in(organizations)} GROUP BY organization_id`
      assert.deepStrictEqual(
        [...positions],
        organizations.map(() => ({ positions: [1, 2] }))
      )
    })
  )

  it.effect("returns the same events to all readers of a busy organization, once", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const transactions = 40
      const writing = yield* Effect.fork(
        Effect.forEach(
          Array.from({ length: transactions }),
          () =>
            Effect.flatMap(SqlClient.SqlClient, (sql) =>
              sql.withTransaction(Effect.replicateEffect(writeEvents(organization, "api_key.created"), 3))
            ),
          { concurrency: 6 }
        )
      )
      const read = (limit: number) =>
        Effect.iterate(nothingRead, {
          while: ({ ids }) => ids.length < transactions * 3,
          body: ({ ids, position }) =>
            Effect.map(next(organization, position, limit), (page) => ({
              position: page.position,
              ids: [...ids, ...idsOf(page)]
            }))
        })
      const [small, large] = yield* Effect.all([read(2), read(50)], { concurrency: 2 })
      yield* Fiber.join(writing)
      assert.deepStrictEqual(small.ids, large.ids)
      assert.strictEqual(new Set(small.ids).size, transactions * 3)
    })
  )
})
