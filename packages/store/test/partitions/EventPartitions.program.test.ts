import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { EventId } from "@switchboard/domain/events/EventType"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { RollupRepo } from "@switchboard/services/analytics/RollupRepo"
import { EventRepo } from "@switchboard/services/events/EventRepo"
import { RetentionRepo } from "@switchboard/services/retention/RetentionRepo"
import { WebhookEndpointRepo } from "@switchboard/services/webhooks/WebhookEndpointRepo"
import { separateConnections } from "@switchboard/store/database/Database"
import { lockForChange, partitionsOf, whileAlone } from "@switchboard/store/partitions/Partitions"
import { Deferred, Duration, Effect, Option } from "effect"
import { v7 } from "uuid"
import { makeOrganization } from "../messages/Fixtures.js"
import { OwnStoreLive } from "../StoreLive.js"
import { deliveriesOf, makeEndpoint } from "../webhooks/Fixtures.js"
import { begins, onDay, partitionsRead, query, update, writeEvent } from "./Fixtures.js"

const idsOf = (organization: OrganizationId) =>
  Effect.map(
    Effect.flatMap(EventRepo, ({ after }) => after(organization, null, 1_000, () => true)),
    ({ events }) => events.map(({ event }) => event.id)
  )

const none = EventId.make(v7())

const thirtyDays = Duration.days(30)

describe("Partitions of events", () => {
  it.live("are created ahead; rows of any time are accepted before and after", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      assert.deepStrictEqual(yield* begins("events"), [[null, null]])
      yield* query("TRUNCATE events")
      // A partition covers a tenth of the retention.
      assert.strictEqual(yield* update("events", 0, thirtyDays), 3)
      const ahead = [
        [null, 3],
        [3, 6],
        [6, 9],
        [9, null]
      ]
      assert.deepStrictEqual(yield* begins("events"), ahead)
      assert.strictEqual(yield* update("events", 1, thirtyDays), 0)
      assert.strictEqual(yield* update("events", 3, thirtyDays), 1)
      // Another width is used from the next partition.
      assert.strictEqual(yield* update("events", 8), 1)
      assert.deepStrictEqual(yield* begins("events"), [...ahead.slice(0, -1), [9, 12], [12, 84], [84, null]])

      const ids = yield* Effect.forEach([-300, 3, 15, 3_000], (days) => writeEvent(own, days))
      assert.sameMembers(yield* idsOf(own), ids)
      // The job did not run until the open partition had rows: it stays until the last of them.
      assert.isAbove(yield* update("events", 2_000), 0)
      assert.deepStrictEqual((yield* begins("events")).slice(-3, -1), [
        [12, 84],
        [84, 3_024]
      ])
      assert.sameMembers(yield* idsOf(own), ids)
    }).pipe(Effect.provide(OwnStoreLive))
  )

  it.live("are dropped when all their events have expired, except the events that stay", () =>
    Effect.gen(function* () {
      const { project } = yield* RollupRepo
      const { position, positionOf } = yield* EventRepo
      const { eraseEvents } = yield* RetentionRepo
      const [own, idle] = [yield* makeOrganization(), yield* makeOrganization()]
      yield* query("TRUNCATE events")
      yield* Effect.forEach([0, 10, 20, 30], (days) => update("events", days, thirtyDays))
      const [, last] = [yield* writeEvent(idle, 0), yield* writeEvent(idle, 0.5)]
      const endpoint = yield* makeEndpoint(own)
      const [pending, failed, delivered] = [
        yield* writeEvent(own, -5),
        yield* writeEvent(own, 2),
        yield* writeEvent(own, 1)
      ]
      const status = (event: string, value: string) =>
        query("UPDATE webhook_deliveries SET status = $2 WHERE event_id = $1", event, value)
      yield* status(failed, "failed")
      yield* status(delivered, "succeeded")
      yield* query("UPDATE webhook_endpoints SET events = '{}' WHERE id = $1", endpoint.id)
      const younger = yield* writeEvent(own, 3, 20)
      const [boundary, kept] = [yield* writeEvent(own, 4), yield* writeEvent(own, 30)]
      yield* project
      assert.strictEqual((yield* query("SELECT FROM event_batches WHERE organization_id = $1", own)).length, 6)

      const first = Effect.map(begins("events"), (partitions) => partitions.slice(0, 2))
      assert.strictEqual(yield* update("events", 31.9, thirtyDays), 0)
      assert.deepStrictEqual(yield* first, [
        [null, 3],
        [3, 6]
      ])
      assert.strictEqual(yield* update("events", 33, thirtyDays), 2)
      assert.strictEqual(yield* update("events", 33, thirtyDays), 0)
      assert.deepStrictEqual(yield* idsOf(own), [pending, failed, younger, boundary, kept])
      assert.strictEqual(yield* update("events", 36, thirtyDays), 3)
      assert.deepStrictEqual(yield* first, [
        [null, 6],
        [6, 9]
      ])
      assert.deepStrictEqual(yield* idsOf(own), [pending, failed, younger, boundary, kept])
      assert.deepStrictEqual(yield* idsOf(idle), [last])
      assert.isTrue(Option.isNone(yield* positionOf(own, delivered)))
      assert.strictEqual((yield* position(idle))?.id, last)
      assert.strictEqual((yield* query("SELECT FROM event_batches WHERE organization_id = $1", own)).length, 5)

      // A late id is accepted. Events that stayed are deleted when nothing needs them.
      const late = yield* writeEvent(own, 1)
      yield* status(failed, "succeeded")
      assert.strictEqual(yield* eraseEvents(thirtyDays).pipe(onDay(36)), 2)
      assert.deepStrictEqual(yield* idsOf(own), [pending, younger, boundary, kept])
      assert.isTrue(Option.isNone(yield* positionOf(own, late)))
      const [delivery] = (yield* deliveriesOf(endpoint)).filter(({ eventId }) => eventId === pending)
      assert.isDefined(delivery)
      if (delivery === undefined) return
      const { retry } = yield* WebhookEndpointRepo
      assert.strictEqual(yield* retry(own, endpoint.id, delivery.id), "ready")
    }).pipe(Effect.provide(OwnStoreLive))
  )

  it.live("are unlocked when a process is paused while it changes them", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const locked = yield* Deferred.make<void>()
      const change = Effect.flatMap(SqlClient.SqlClient, (sql) =>
        whileAlone(
          sql,
          "events",
          Effect.all([lockForChange(sql, "events"), Deferred.succeed(locked, undefined), Effect.never])
        )
      )
      yield* Effect.forkScoped(Effect.provide(change, separateConnections(1)))
      yield* Deferred.await(locked)
      const id = yield* Effect.retry(writeEvent(own, 0), { times: 10 })
      assert.deepStrictEqual(yield* idsOf(own), [id])
    }).pipe(Effect.scoped, Effect.provide(OwnStoreLive))
  )

  it.live("are read only where an event can be", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { project } = yield* RollupRepo
      const { after, position, positionOf } = yield* EventRepo
      const own = yield* makeOrganization()
      yield* query("TRUNCATE events, event_batches, new_event_batches")
      yield* update("events", 0, thirtyDays)
      const ids = yield* Effect.forEach([0, 4, 7], (days) => writeEvent(own, days))
      yield* project
      const start = Option.getOrNull(yield* positionOf(own, ids[1] ?? none))
      const [oldest, first, second] = (yield* partitionsOf(sql, "events")).map(({ name }) => name)
      assert.deepStrictEqual(
        yield* partitionsRead(
          "events",
          after(own, start, 100, () => true)
        ),
        [first, second]
      )
      assert.deepStrictEqual(yield* partitionsRead("events", position(own)), [second])
      assert.deepStrictEqual(yield* partitionsRead("events", positionOf(own, ids[0] ?? none)), [oldest])
    }).pipe(Effect.provide(OwnStoreLive))
  )
})
