import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { queueNames } from "@switchboard/domain/system/SystemStatus"
import { PauseRepo, PauseTarget } from "@switchboard/services/queues/PauseRepo"
import { QueueDepths } from "@switchboard/services/queues/WorkQueue"
import { DateTime, Effect, Equal, Option } from "effect"
import { makeOrganization } from "../messages/Fixtures.js"
import { accept, statuses, take } from "../messages/QueueFixtures.js"
import { OwnStoreLive } from "../StoreLive.js"

const email = PauseTarget.Channel({ channel: "email" })

const targets = Effect.flatMap(PauseRepo, ({ state }) =>
  Effect.map(state, ({ pauses }) => pauses.map(({ target }) => target))
)

/** Makes the messages in the queue this old. */
const age = (interval: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`UPDATE message_queue SET due_since = now() - ${interval}::interval`)

const oldestHours = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ hours: number }>`SELECT max(extract(epoch FROM now() - due_since) / 3600)::float8 AS hours
      FROM message_queue WHERE lease_until IS NULL`,
    ([row]) => row?.hours ?? 0
  )
)

layer(OwnStoreLive, { excludeTestServices: true })("PauseRepo on PostgreSQL", (it) => {
  it.effect("stores each pause once, and ends it once", () =>
    Effect.gen(function* () {
      const { pause, resume, state } = yield* PauseRepo
      const own = PauseTarget.Organization({ organizationId: yield* makeOrganization() })
      assert.deepStrictEqual(yield* Effect.forEach([email, own, email, own], pause), [true, true, false, false])
      assert.deepStrictEqual(yield* targets, [email, own])
      assert.isTrue(Equal.equals(yield* state, yield* state))
      assert.deepStrictEqual(yield* Effect.forEach([email, email, own], resume), [true, false, true])
      assert.deepStrictEqual(yield* targets, [])
    })
  )

  it.effect("shows the queues of a paused channel, and all queues of a held copy, as paused", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { hold, pause, release, resume } = yield* PauseRepo
      const paused = Effect.flatMap(QueueDepths, ({ all }) =>
        Effect.map(all, (depths) => depths.filter(({ isPaused }) => isPaused).map(({ queue }) => queue))
      )
      yield* pause(email)
      assert.deepStrictEqual(yield* paused, ["message", "forwarding"])
      yield* resume(email)
      assert.deepStrictEqual(yield* paused, [])
      yield* sql`INSERT INTO installation (key_mark) VALUES ('mark')`
      yield* hold
      assert.lengthOf(yield* paused, queueNames.length)
      assert.isTrue(yield* release(Option.none()))
      assert.isFalse(yield* release(Option.none()))
    })
  )

  it.effect("does not end a paused message at its maximum age, and gives it another day when the pause ends", () =>
    Effect.gen(function* () {
      const { pause, resume } = yield* PauseRepo
      const own = yield* makeOrganization()
      const other = yield* makeOrganization()
      yield* accept(own, 2)
      yield* accept(other, 1)
      yield* age("80 hours")
      const target = PauseTarget.Organization({ organizationId: own })
      yield* pause(target)
      const expired = yield* take("w", { expiredOnly: true, skipped: [own] })
      assert.deepStrictEqual(
        expired.map(({ organizationId }) => organizationId),
        [other]
      )
      assert.isAbove(yield* oldestHours, 79)
      yield* resume(target)
      assert.approximately(yield* oldestHours, 48, 1)
      assert.lengthOf(yield* take("w"), 2)
      assert.deepStrictEqual(yield* statuses(own), ["pending", "pending"])
    })
  )

  it.effect("keeps the age of messages that a released copy ends", () =>
    Effect.gen(function* () {
      const { hold, pause, release, resume } = yield* PauseRepo
      yield* accept(yield* makeOrganization(), 1)
      yield* age("80 hours")
      yield* hold
      yield* release(Option.some(yield* DateTime.now))
      yield* pause(email)
      yield* resume(email)
      assert.isAbove(yield* oldestHours, 79)
    })
  )
})
