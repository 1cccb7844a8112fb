import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { rotateMasterKey } from "@switchboard/services/installation/MasterKey"
import { MasterKey, PreviousMasterKey, SecretBox, Signatures } from "@switchboard/services/SecretBox"
import { SecondFactors } from "@switchboard/services/users/SecondFactors"
import { UserRepo } from "@switchboard/services/users/UserRepo"
import { Clock, Deferred, Effect, Fiber, Layer, Option, Redacted, Schedule } from "effect"
import { Secret, TOTP } from "otpauth"
import { v7 } from "uuid"
import { makeOrganization } from "../messages/Fixtures.js"
import { OwnStoreLive } from "../StoreLive.js"

const keyOf = (fill: number) => Redacted.make(new Uint8Array(32).fill(fill))

/** A process with this master key, and the one before it. */
const under = (current: number, previous?: number) =>
  SecondFactors.Default.pipe(
    Layer.provideMerge(Layer.merge(SecretBox.Live, Signatures.Live)),
    Layer.provide(Layer.succeed(MasterKey, keyOf(current))),
    Layer.provide(Layer.succeed(PreviousMasterKey, Option.map(Option.fromNullable(previous), keyOf)))
  )

/** The time in seconds after the begin of time step 60 million. The clock of the database goes on. */
const at = (seconds: number) => {
  const millis = (60_000_000 * 30 + seconds) * 1_000
  return Effect.withClock(Object.assign(Clock.make(), { currentTimeMillis: Effect.succeed(millis) }))
}

/** The code of a time in seconds after the begin of time step 60 million. */
const codeAt = (secret: string, seconds: number) =>
  Redacted.make(
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: (60_000_000 * 30 + seconds) * 1_000 })
  )

const newUser = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const organization = yield* makeOrganization()
  const [id, apiKeyId] = [v7(), v7()]
  const email = `${id}@example.com`
  yield* sql`INSERT INTO api_keys (id, organization_id, name, start, hash, permissions, created_at)
    VALUES (${apiKeyId}, ${organization}, 'Ada', '', ${apiKeyId}, '{}', now())`
  yield* sql`INSERT INTO users (id, organization_id, email, name, role_name, api_key_id, created_at, updated_at)
    VALUES (${id}, ${organization}, ${email}, 'Ada', 'viewer', ${apiKeyId}, now(), now())`
  return Effect.flatMap(UserRepo, (users) => Effect.flatten(users.findByEmail(email)))
})

/** A user with a second factor, confirmed with the code of second -300. */
const newFactor = Effect.gen(function* () {
  const user = yield* newUser
  const factors = yield* SecondFactors
  const { secret } = yield* factors.begin(yield* user)
  const confirmed = yield* factors.confirm(yield* user, "", codeAt(secret, -300)).pipe(at(-300))
  return { user, secret, recoveryCodes: Option.getOrThrow(confirmed).recoveryCodes }
})

layer(OwnStoreLive, { excludeTestServices: true })("Second factors", (it) => {
  it.effect("accept the codes of one time step before and after the present one, each once and none older", () =>
    Effect.gen(function* () {
      const factors = yield* SecondFactors
      const { secret, user } = yield* newFactor
      const stored = yield* user
      const use = (now: number, of: number) => factors.use(stored, codeAt(secret, of)).pipe(at(now))
      assert.isFalse(yield* use(0, -31), "two steps before")
      assert.isFalse(yield* use(0, 60), "two steps after")
      assert.isTrue(yield* use(0, -30))
      assert.isFalse(yield* use(0, -1), "the same step")
      assert.isTrue(yield* use(0, 59))
      assert.isFalse(yield* use(0, 0), "older than the last one")
      assert.isFalse(yield* use(59, 59), "used before its time")
      assert.isTrue(yield* use(60, 60))
    }).pipe(Effect.provide(under(3)))
  )

  it.effect("are confirmed once, of several concurrent requests", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const factors = yield* SecondFactors
      const stored = yield* yield* newUser
      const { secret } = yield* factors.begin(stored)
      const confirm = Effect.option(factors.confirm(stored, "", codeAt(secret, 0))).pipe(at(0))
      // All of them wait for the row, and go on at the same time.
      const waiting = sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
      const held = yield* Deferred.make<void>()
      const locked = yield* Deferred.make<void>()
      const lock = Effect.zipRight(
        sql`SELECT FROM users WHERE id = ${stored.user.id} FOR UPDATE`,
        Effect.zipRight(Deferred.succeed(locked, undefined), Deferred.await(held))
      )
      const holder = yield* Effect.fork(sql.withTransaction(lock))
      yield* Deferred.await(locked)
      const requests = yield* Effect.fork(Effect.replicateEffect(confirm, 3, { concurrency: 3 }))
      yield* Effect.repeat(waiting, { until: (rows) => rows.length === 3, schedule: Schedule.spaced("20 millis") })
      yield* Deferred.succeed(held, undefined)
      yield* Fiber.join(holder)
      const confirmed = yield* Fiber.join(requests)
      assert.lengthOf(confirmed.map(Option.flatten).filter(Option.isSome), 1)
    }).pipe(Effect.provide(under(3)))
  )

  it.effect("stay after a rotation of the master key", () =>
    Effect.gen(function* () {
      const { recoveryCodes, secret, user } = yield* Effect.provide(newFactor, under(3))
      const stored = yield* user
      const use = (seconds: number) =>
        Effect.flatMap(SecondFactors, (factors) => factors.use(stored, codeAt(secret, seconds))).pipe(at(seconds))
      yield* Effect.provide(rotateMasterKey, under(4, 3))
      assert.isTrue(yield* Effect.provide(use(0), under(4)))
      const [first = "", second = ""] = recoveryCodes
      const recover = (code: string) =>
        Effect.flatMap(SecondFactors, (factors) => factors.use(stored, Redacted.make(code)))
      assert.isTrue(yield* Effect.provide(recover(first), under(4)))
      // With another key the secret can't be read.
      assert.isFalse(yield* Effect.provide(use(90), under(3)))
      assert.isTrue(yield* Effect.provide(recover(second), under(3)))
    })
  )
})
