import { randomBytes } from "node:crypto"
import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { rolePermissions } from "@switchboard/domain/apiKeys/Permission"
import { RateLimitedError, UnauthorizedError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { SessionDetails } from "@switchboard/domain/sessions/Session"
import { ApiKeys } from "@switchboard/services/apiKeys/ApiKeys"
import { ManagedKeys } from "@switchboard/services/apiKeys/ManagedKeys"
import { RateLimits } from "@switchboard/services/rateLimits/RateLimits"
import { MasterKey, Signatures } from "@switchboard/services/SecretBox"
import { LoginLinks, tokenHash } from "@switchboard/services/sessions/LoginLinks"
import { PublicSubmission, Sessions } from "@switchboard/services/sessions/Sessions"
import { makeOrganization } from "@switchboard/store/testing/messages/Fixtures"
import { StoreLive } from "@switchboard/store/testing/StoreLive"
import { Array, Context, DateTime, Effect, Layer, Option, Redacted, TestClock } from "effect"

const permissions = rolePermissions.viewer

/** The organizations beyond their rate limit. */
const limited = new Set<OrganizationId>()
const unused = () => Effect.dieMessage("not used in this test")
const Limits = Layer.succeed(
  RateLimits,
  RateLimits.make({
    request: (organization) =>
      limited.has(organization) ? new RateLimitedError({ retryAfterSeconds: 7 }) : Effect.succeed(null),
    send: unused,
    refundSend: unused,
    requestLimit: 1
  })
)

const submission = { host: "mail.example.net", port: 2587, tlsPort: undefined, startTls: true }

const UseCases = Layer.merge(Sessions.Default, LoginLinks.Default).pipe(
  Layer.provideMerge(Layer.merge(ApiKeys.Default, ManagedKeys.Default)),
  Layer.provide(Layer.merge(Limits, Signatures.Live)),
  Layer.provide(Layer.succeed(PublicSubmission, Option.some(submission))),
  Layer.provide(Layer.succeed(MasterKey, Redacted.make<Uint8Array>(randomBytes(32))))
)

/** Starts the use cases at the time of the database, with a new key of a new organization. */
const startProcess = Effect.gen(function* () {
  yield* TestClock.setTime(Date.now())
  const sql = yield* SqlClient.SqlClient
  const context = yield* Layer.build(Layer.fresh(UseCases))
  const organizationId = yield* makeOrganization()
  const manager = { organizationId, permissions: rolePermissions.admin }
  const created = yield* Context.get(context, ManagedKeys).create(manager, { name: "A key", roleName: "viewer" })
  /** The token of a new log-in link. */
  const createLink = Context.get(context, LoginLinks).create("https://mail.example.net", created.id)
  const loginToken = Effect.map(createLink, (link) => {
    const [, token = ""] =
      /^https:\/\/mail\.example\.net\/console\/#login=([\w-]{43})$/.exec(Redacted.value(link)) ?? []
    return Redacted.make(token)
  })
  return {
    id: created.id,
    key: Redacted.make(created.key),
    organizationId,
    apiKeys: Context.get(context, ApiKeys),
    sessions: Context.get(context, Sessions),
    loginToken,
    endKey: sql`UPDATE api_keys SET is_active = false WHERE id = ${created.id}`,
    stored: Effect.map(
      sql`SELECT s::text, l::text FROM sessions AS s FULL JOIN login_tokens AS l ON false
        WHERE ${organizationId} IN (s.organization_id, l.organization_id)`,
      (rows) => JSON.stringify(rows)
    )
  }
})

const tagOf = <A>(effect: Effect.Effect<A, { readonly _tag: string }>) =>
  Effect.match(effect, { onFailure: ({ _tag }) => _tag, onSuccess: () => "ok" })

layer(StoreLive)("Sessions", (it) => {
  it.scoped("authenticate as their key for 12 hours and store only the hash of the token", () =>
    Effect.gen(function* () {
      const { id, key, organizationId, sessions, stored } = yield* startProcess
      const sql = yield* SqlClient.SqlClient
      const { session, token } = yield* sessions.start(key)
      assert.deepStrictEqual(yield* sessions.authenticate(token), { id, organizationId, permissions })
      const rows = yield* stored
      assert.include(rows, tokenHash(token))
      for (const secret of [Redacted.value(token), session.csrfToken, Redacted.value(key)]) {
        assert.notInclude(rows, secret)
      }
      const now = yield* DateTime.now
      assert.deepStrictEqual(session.expiresAt, DateTime.add(now, { hours: 12 }))
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* tagOf(sessions.authenticate(token)), "ok")
      yield* sql`UPDATE sessions SET expires_at = now() WHERE hash = ${tokenHash(token)}`
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* tagOf(sessions.authenticate(token)), "UnauthorizedError")
    })
  )

  it.scoped("start only with an active key of an organization within its rate limit", () =>
    Effect.gen(function* () {
      const { apiKeys, organizationId, key, sessions, stored } = yield* startProcess
      limited.add(organizationId)
      const input = { name: "An operator's", organizationId: null, permissions: {}, expiresAt: null }
      const { key: withoutOrganization } = yield* apiKeys.create({ ...input, value: Option.none() })
      const keys = [Redacted.make(`sk_sm_${"X".repeat(40)}`), Redacted.make(""), withoutOrganization, key]
      assert.deepStrictEqual(yield* Effect.forEach(keys, (one) => tagOf(sessions.start(one))), [
        "UnauthorizedError",
        "UnauthorizedError",
        "ForbiddenError",
        "RateLimitedError"
      ])
      assert.strictEqual(yield* stored, "[]")
    })
  )

  it.scoped("end at once, without ending other sessions", () =>
    Effect.gen(function* () {
      const { key, sessions } = yield* startProcess
      const [one, two] = [yield* sessions.start(key), yield* sessions.start(key)]
      yield* sessions.authenticate(one.token)
      yield* sessions.end(one.token)
      assert.strictEqual(yield* tagOf(sessions.authenticate(one.token)), "UnauthorizedError")
      assert.strictEqual(yield* tagOf(sessions.authenticate(two.token)), "ok")
    })
  )

  it.scoped("end within a second if another process removed the session or its key", () =>
    Effect.gen(function* () {
      const { endKey, key, sessions } = yield* startProcess
      const sql = yield* SqlClient.SqlClient
      const [one, two] = [yield* sessions.start(key), yield* sessions.start(key)]
      yield* Effect.all([sessions.authenticate(one.token), sessions.authenticate(two.token)])
      yield* sql`DELETE FROM sessions WHERE hash = ${tokenHash(one.token)}`
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* tagOf(sessions.authenticate(one.token)), "UnauthorizedError")
      assert.strictEqual(yield* tagOf(sessions.authenticate(two.token)), "ok")
      yield* endKey
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* tagOf(sessions.authenticate(two.token)), "UnauthorizedError")
    })
  )

  it.scoped(
    "have the organization, the permissions and the role of their key, and the address for mail of programs",
    () =>
      Effect.gen(function* () {
        const { endKey, key, organizationId, sessions } = yield* startProcess
        const { session, token } = yield* sessions.start(key)
        assert.deepStrictEqual(
          yield* sessions.get(token),
          new SessionDetails({
            organization: { id: organizationId, name: "Ada's" },
            permissions,
            roleName: "viewer",
            user: undefined,
            submission,
            ...session
          })
        )
        yield* endKey
        yield* TestClock.adjust("1 second")
        assert.strictEqual(yield* tagOf(sessions.get(token)), "UnauthorizedError")
      })
  )

  it.scoped("start once with a log-in link, within 15 minutes, as its key, also with concurrent exchanges", () =>
    Effect.gen(function* () {
      const { endKey, id, loginToken, organizationId, sessions, stored } = yield* startProcess
      const sql = yield* SqlClient.SqlClient
      const [used, late, ended] = [yield* loginToken, yield* loginToken, yield* loginToken]
      assert.include(yield* stored, tokenHash(used))
      assert.notInclude(yield* stored, Redacted.value(used))
      const expiresAt = DateTime.toDateUtc(DateTime.add(yield* DateTime.now, { minutes: 15 }))
      const links = sql`SELECT DISTINCT expires_at FROM login_tokens WHERE organization_id = ${organizationId}`
      assert.deepStrictEqual(yield* links, [{ expires_at: expiresAt }])
      const exchanges = yield* Effect.replicateEffect(Effect.either(sessions.exchange(used)), 8, { concurrency: 8 })
      const [{ session, token } = assert.fail("no session was started"), ...others] = Array.getRights(exchanges)
      assert.isEmpty(others)
      assert.strictEqual((yield* sessions.authenticate(token)).id, id)
      assert.isTrue(sessions.isCsrfToken(token, session.csrfToken))
      const refusal = Effect.flip(sessions.exchange(used))
      assert.deepStrictEqual(
        yield* refusal,
        new UnauthorizedError({
          message:
            'The log-in link was used before or is older than 15 minutes: run "switchboard login-link" for a new one'
        })
      )
      yield* endKey
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(
        yield* Effect.flip(sessions.exchange(ended)),
        new UnauthorizedError({ message: "The API key of the log-in link has ended" })
      )
      yield* sql`UPDATE login_tokens SET expires_at = now() WHERE hash = ${tokenHash(late)}`
      for (const unknown of [late, Redacted.make("a".repeat(43)), Redacted.make(""), Redacted.make("%")]) {
        assert.deepStrictEqual(yield* Effect.flip(sessions.exchange(unknown)), yield* refusal)
      }
      assert.strictEqual(yield* tagOf(loginToken), "ResourceNotFoundError")
    })
  )

  it.scoped("have their own CSRF token", () =>
    Effect.gen(function* () {
      const { key, sessions } = yield* startProcess
      const [one, two] = [yield* sessions.start(key), yield* sessions.start(key)]
      const isAccepted = (given: string) => sessions.isCsrfToken(one.token, given)
      assert.isTrue(isAccepted(one.session.csrfToken))
      for (const wrong of [two.session.csrfToken, "", one.session.csrfToken.slice(1), Redacted.value(one.token)]) {
        assert.isFalse(isAccepted(wrong))
      }
    })
  )

  it.scoped("reject a malformed token", () =>
    Effect.gen(function* () {
      const { key, sessions } = yield* startProcess
      for (const token of ["", "x", "a".repeat(44), `${"a".repeat(42)};`, Redacted.value(key)]) {
        assert.strictEqual(yield* tagOf(sessions.authenticate(Redacted.make(token))), "UnauthorizedError")
      }
    })
  )
})
