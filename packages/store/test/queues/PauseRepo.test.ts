import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { queueNames } from "@switchboard/domain/system/SystemStatus"
import { DomainPauseRepo } from "@switchboard/services/email/domains/DomainPauseRepo"
import { PauseRepo, PauseTarget } from "@switchboard/services/queues/PauseRepo"
import { QueueDepths } from "@switchboard/services/queues/WorkQueue"
import { DateTime, Effect, Equal, Option } from "effect"
import { v7 } from "uuid"
import { makeOrganization } from "../messages/Fixtures.js"
import { accept, mailQueue, statuses, take } from "../messages/QueueFixtures.js"
import { OwnStoreLive } from "../StoreLive.js"

const email = PauseTarget.Channel({ channel: "email" })

const targets = Effect.flatMap(PauseRepo, ({ state }) =>
  Effect.map(state, ({ pauses }) => pauses.map(({ target }) => target))
)

/** Adds the domain of the messages to an organization, as paused. */
const pausedDomain = Effect.fnUntraced(function* (organization: OrganizationId) {
  const sql = yield* SqlClient.SqlClient
  const id = EmailDomainId.make(v7())
  yield* sql`INSERT INTO email_domains (organization_id, id, domain, status, verification_token, active_selector,
      sm1_public_key, sm2_public_key, next_check_at, created_at, updated_at, paused_at, pause_reason)
    VALUES (${organization}, ${id}, 'localhost.test', 'failed', '', 'sm1', '', '', 'infinity', now(), now(), now(),
      'manual')`
  return id
})

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

  it.effect("makes mail from a paused domain wait until it is resumed, also if it expired, and no other mail", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { state } = yield* PauseRepo
      const { release } = yield* DomainPauseRepo
      yield* sql`TRUNCATE message_queue, message_waiting`
      const own = yield* makeOrganization()
      const other = yield* makeOrganization()
      const id = yield* pausedDomain(own)
      const { domains } = yield* state
      assert.deepStrictEqual(
        domains.map(({ domain, id: of, organizationId }) => [organizationId, of, domain]),
        [[own, id, "localhost.test"]]
      )
      yield* accept(own, 3)
      yield* accept(other, 1)
      const owners = (options: Parameters<typeof take>[1]) =>
        Effect.map(take("w", options), (taken) => taken.map(({ organizationId }) => organizationId))
      const waiting = Effect.map(
        sql<{ paused: number }>`SELECT count(*)::int AS paused FROM message_waiting WHERE paused_domain_id IS NOT NULL`,
        ([row]) => row?.paused
      )
      assert.deepStrictEqual(yield* owners({ limit: 2, pausedDomains: domains }), [other])
      yield* age("72 hours")
      // Paused mail does not expire.
      assert.deepStrictEqual(yield* owners({ expiredOnly: true, pausedDomains: domains }), [])
      assert.strictEqual(yield* waiting, 3)
      assert.strictEqual(yield* release, 0)
      assert.strictEqual(yield* Effect.flatMap(mailQueue, ({ promote }) => promote), 0)
      yield* sql`UPDATE email_domains SET paused_at = NULL WHERE id = ${id}`
      assert.deepStrictEqual([yield* release, yield* release, yield* waiting], [3, 0, 0])
      assert.strictEqual(yield* Effect.flatMap(mailQueue, ({ promote }) => promote), 3)
      assert.approximately(yield* oldestHours, 48, 1)
      // A process that has not read the end of the pause yet.
      assert.deepStrictEqual(yield* owners({ pausedDomains: domains }), [own, own, own])
      assert.deepStrictEqual(yield* statuses(own), ["pending", "pending", "pending"])
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
