import { assert, describe, it } from "@effect/vitest"
import { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { KeyActivityRepo } from "@switchboard/services/apiKeys/KeyActivityRepo"
import { DateTime, Duration, Effect } from "effect"
import { v7 } from "uuid"
import { OwnStoreLive } from "../StoreLive.js"
import { begins, day, query, update } from "./Fixtures.js"

const thirtyDays = Duration.days(30)

const key = { organizationId: OrganizationId.make(v7()), apiKeyId: ApiKeyId.make(v7()) }

/** Requests of a day, by default of the time in their ids. */
const writeUses = (count: number, days: number, at = days) =>
  Effect.flatMap(KeyActivityRepo, ({ insert }) =>
    insert(
      Array.from({ length: count }, (_, place) => ({
        ...key,
        id: v7({ msecs: DateTime.toEpochMillis(day(days)) + place }),
        method: "GET",
        path: "/v1/messages",
        route: "/v1/messages",
        status: 200,
        latencyMs: 3,
        ipAddress: "192.0.2.7",
        at: DateTime.toEpochMillis(day(at)) + place
      }))
    )
  )

/** The number of listed requests, and the total that is kept. */
const listed = Effect.flatMap(KeyActivityRepo, ({ list }) =>
  Effect.map(list(key.organizationId, key.apiKeyId, { page: 1, limit: 100 }), ({ items, pagination }) => [
    items.length,
    pagination.total
  ])
)

describe("Partitions of key activity", () => {
  it.live("are dropped with their counts when all requests have expired", () =>
    Effect.gen(function* () {
      const { deleteExpired, stats } = yield* KeyActivityRepo
      yield* Effect.forEach([0, 10, 20, 30], (days) => update("api_key_activity", days, thirtyDays))
      for (const days of [-3, 1, 2]) yield* writeUses(4, days)
      yield* writeUses(1, 2.5, 20)
      yield* writeUses(2, 3)
      assert.deepStrictEqual(yield* listed, [15, 15])
      yield* update("api_key_activity", 32, thirtyDays)
      assert.deepStrictEqual(yield* listed, [15, 15])
      yield* update("api_key_activity", 33, thirtyDays)
      assert.deepStrictEqual(yield* listed, [3, 3])
      assert.deepStrictEqual((yield* begins("api_key_activity")).slice(0, 2), [
        [null, 3],
        [3, 6]
      ])
      // A late row is stored; rows that were kept expire one by one.
      yield* writeUses(1, 1)
      assert.deepStrictEqual(yield* listed, [4, 4])
      assert.strictEqual(yield* deleteExpired(thirtyDays), 4)
      assert.deepStrictEqual(yield* listed, [0, 0])
      const { totalRequests } = yield* stats(key.organizationId, key.apiKeyId)
      assert.strictEqual(totalRequests, 0)
    }).pipe(Effect.provide(OwnStoreLive))
  )
})

describe("Partitions of webhook attempts", () => {
  it.live("are dropped, except attempts that are younger than their delivery", () =>
    Effect.gen(function* () {
      yield* Effect.forEach([0, 10, 20, 30], (days) => update("webhook_attempts", days, thirtyDays))
      const writeAttempt = (days: number, at: number) =>
        query(
          `INSERT INTO webhook_attempts (organization_id, delivery_id, attempt, trigger, at, duration_ms)
          VALUES ($1, $2, 1, 'scheduled', $3, 5)`,
          key.organizationId,
          v7({ msecs: DateTime.toEpochMillis(day(days)) }),
          DateTime.toDateUtc(day(at))
        )
      yield* Effect.forEach(
        [
          [-1, -1],
          [1, 1],
          [1, 4],
          [4, 4]
        ] as const,
        ([days, at]) => writeAttempt(days, at)
      )
      yield* update("webhook_attempts", 33, thirtyDays)
      const left = query("SELECT FROM webhook_attempts WHERE organization_id = $1", key.organizationId)
      assert.lengthOf(yield* left, 2)
    }).pipe(Effect.provide(OwnStoreLive))
  )
})
