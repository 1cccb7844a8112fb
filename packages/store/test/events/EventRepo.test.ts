import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { EventId, type EventType } from "@switchboard/domain/events/EventType"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { encodeEvent } from "@switchboard/services/events/EncodeEvent"
import { type EventPage, type EventPosition, EventRepo } from "@switchboard/services/events/EventRepo"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { EventRepoSql } from "@switchboard/store/events/EventRepoSql"
import { insertEvents } from "@switchboard/store/events/InsertEvents"
import { Deferred, Effect, Fiber, Layer, Option } from "effect"
import { v7 } from "uuid"
import { makeOrganization, newMessage } from "../messages/Fixtures.js"
import { happen, Live, newEvent, options } from "../webhooks/Fixtures.js"

const Events = EventRepoSql.pipe(Layer.provideMerge(Live))

const all = (_: EventType) => true

const next = (organization: OrganizationId, position: EventPosition | null = null, limit = 100, wants = all) =>
  Effect.flatMap(EventRepo, ({ after }) => after(organization, position, limit, wants))

const idsOf = ({ events }: EventPage) => events.map(({ event }) => event.id)

/** Looks again until so many come: whatever writes elsewhere on the server holds them up for a moment. */
const many = (count: number, ...given: Parameters<typeof next>) =>
  Effect.repeat(next(...given), { until: ({ events }) => events.length >= count })

const accept = (organization: OrganizationId) =>
  Effect.gen(function* () {
    const messages = yield* MessageRepo
    const message = yield* newMessage(organization)
    yield* messages.accept(message)
    return message.facts
  })

/** A transaction that has begun to write, and is told when to write its event and when to end. */
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
          yield* sql`SELECT pg_current_xact_id()`
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

/** What a reader has heard, and where it is. */
const nothingRead: { readonly position: EventPosition | null; readonly ids: ReadonlyArray<string> } = {
  position: null,
  ids: []
}

layer(Events, options)("EventRepo (PostgreSQL)", (it) => {
  it.effect("tells events in the order in which they happened, page by page, each once", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const first = yield* happen(organization, "api_key.created", "api_key.rotated")
      const second = yield* happen(organization, "organization.updated")
      const ids = [...first, ...second].map(({ id }) => id)
      const whole = yield* many(3, organization)
      assert.deepStrictEqual(idsOf(whole), ids)
      assert.deepStrictEqual(whole.events[0]?.event, first[0])
      assert.isFalse(whole.isFull)
      const two = yield* next(organization, null, 2)
      assert.deepStrictEqual([idsOf(two), two.isFull], [ids.slice(0, 2), true])
      const rest = yield* next(organization, two.position, 2)
      assert.deepStrictEqual([idsOf(rest), rest.isFull], [ids.slice(2), false])
      const none = yield* next(organization, rest.position, 2)
      assert.deepStrictEqual(none, { events: [], position: rest.position, isFull: false })
    })
  )

  it.effect("goes on after an event by its id, and after the newest one", () =>
    Effect.gen(function* () {
      const { position, positionOf } = yield* EventRepo
      const organization = yield* makeOrganization()
      assert.isNull(yield* position(organization))
      const [first, second] = yield* happen(organization, "api_key.created", "api_key.deleted")
      yield* many(2, organization)
      const heard = yield* positionOf(organization, EventId.make(first?.id ?? ""))
      assert.deepStrictEqual(idsOf(yield* next(organization, Option.getOrNull(heard))), [second?.id])
      const newest = yield* position(organization)
      assert.strictEqual(newest?.id, second?.id)
      assert.deepStrictEqual(idsOf(yield* next(organization, newest)), [])
      const [third] = yield* happen(organization, "organization.updated")
      assert.deepStrictEqual(idsOf(yield* many(1, organization, newest)), [third?.id])
    })
  )

  it.effect("knows nothing of other organizations' events, nor of events that never were", () =>
    Effect.gen(function* () {
      const { position, positionOf } = yield* EventRepo
      const [mine, other] = [yield* makeOrganization(), yield* makeOrganization()]
      const [event] = yield* happen(other, "api_key.created")
      const page = yield* many(1, other)
      assert.deepStrictEqual(yield* next(mine), { events: [], position: null, isFull: false })
      assert.isNull(yield* position(mine))
      assert.isTrue(Option.isNone(yield* positionOf(mine, EventId.make(event?.id ?? ""))))
      assert.isTrue(Option.isNone(yield* positionOf(mine, EventId.make(v7()))))
      assert.deepStrictEqual(idsOf(yield* next(mine, page.position)), [])
    })
  )

  it.effect("passes over what is not wanted, and goes on after it all the same", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      yield* happen(organization, "api_key.created", "organization.updated", "api_key.deleted")
      yield* many(3, organization)
      const wants = (type: EventType) => type === "organization.updated"
      const page = yield* next(organization, null, 3, wants)
      assert.deepStrictEqual(
        page.events.map(({ event }) => event.type),
        ["organization.updated"]
      )
      assert.isTrue(page.isFull)
      assert.deepStrictEqual(idsOf(yield* next(organization, page.position)), [])
    })
  )

  it.effect("brings the messages that events are about; of one that was deleted nothing but that", () =>
    Effect.gen(function* () {
      const { remove } = yield* MessageRepo
      const organization = yield* makeOrganization()
      const [kept, deleted] = [yield* accept(organization), yield* accept(organization)]
      yield* remove(organization, deleted.id)
      const { events } = yield* many(3, organization)
      const told = events.map(({ event, message }) => [
        event.type,
        event.subjectId,
        encodeEvent(event, message) === null
      ])
      assert.deepStrictEqual(told, [
        ["message.created", kept.id, false],
        ["message.created", deleted.id, true],
        ["message.deleted", deleted.id, false]
      ])
    })
  )

  for (const ids of ["rise", "fall"] as const) {
    it.effect(`misses nothing and repeats nothing when transactions cross, while their ids ${ids}`, () =>
      Effect.gen(function* () {
        const { position } = yield* EventRepo
        const organization = yield* makeOrganization()
        yield* happen(organization, "api_key.created")
        const start = (yield* many(1, organization)).position
        const [low, high] = [v7(), v7()].sort()
        const [firstId = "", secondId = ""] = ids === "rise" ? [low, high] : [high, low]
        const first = yield* transaction(organization, firstId)
        const second = yield* transaction(organization, secondId)
        const early = yield* Effect.zipRight(second.write, next(organization, start))
        yield* second.end
        // What was committed may not be told yet: something that comes before it is still to be committed.
        const between = yield* next(organization, early.position)
        const fromNow = yield* position(organization)
        yield* first.write
        const late = yield* next(organization, between.position)
        yield* first.end
        const rest = yield* many(2, organization, late.position)
        assert.deepStrictEqual([early, between, late].flatMap(idsOf), [])
        assert.deepStrictEqual(idsOf(rest), [firstId, secondId])
        assert.deepStrictEqual(idsOf(yield* next(organization, fromNow)), [firstId, secondId])
      })
    )
  }

  it.effect("tells every reader of a busy organization the same, once", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const transactions = 40
      const writing = yield* Effect.fork(
        Effect.forEach(
          Array.from({ length: transactions }),
          () =>
            Effect.flatMap(SqlClient.SqlClient, (sql) =>
              sql.withTransaction(Effect.replicateEffect(happen(organization, "api_key.created"), 3))
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
