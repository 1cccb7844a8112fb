import { randomBytes } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { ApiKey, ApiKeyId, type ApiKeyIdentity } from "@switchboard/domain/apiKeys/ApiKey"
import { RateLimitedError, UnauthorizedError } from "@switchboard/domain/Errors"
import { OrganizationId, OrganizationSummary } from "@switchboard/domain/organizations/Organization"
import { SessionDetails } from "@switchboard/domain/sessions/Session"
import { ApiKeyRepo } from "@switchboard/services/apiKeys/ApiKeyRepo"
import { ApiKeys } from "@switchboard/services/apiKeys/ApiKeys"
import { hashOf } from "@switchboard/services/apiKeys/NewApiKey"
import { OrganizationRepo } from "@switchboard/services/organizations/OrganizationRepo"
import { RateLimits } from "@switchboard/services/rateLimits/RateLimits"
import { MasterKey, Signatures } from "@switchboard/services/Signatures"
import { LoginLinks } from "@switchboard/services/sessions/LoginLinks"
import { SessionRepo, type StorableSession } from "@switchboard/services/sessions/SessionRepo"
import { Sessions } from "@switchboard/services/sessions/Sessions"
import { Context, DateTime, Effect, Layer, Option, Redacted, TestClock } from "effect"

const keyLike = (letter: string) => Redacted.make(`sk_sm_${letter.repeat(40)}`)
const [key, withoutOrganization, overLimit] = [keyLike("A"), keyLike("H"), keyLike("E")]

const organizationId = OrganizationId.make("01a1fc1d-cf8f-76d9-be28-52307925009f")
const limitedOrganization = OrganizationId.make("01a1fc1d-cf8f-76d9-be28-523079250000")
const id = ApiKeyId.make("01a1fc1d-cf9d-766f-8d6a-43d494c1944f")
const organization = new OrganizationSummary({
  id: organizationId,
  name: "Example Shop",
  slug: "example-shop",
  plan: "free",
  defaultCurrency: "USD",
  isActive: true,
  messagesUsedThisMonth: 0,
  createdAt: DateTime.unsafeMake(0)
})
const apiKey = new ApiKey({
  id,
  name: "A key",
  key: "sk_sm_AAAAAA…",
  start: "sk_sm_AAAAAA",
  roleName: "viewer",
  permissions: { messages: ["read"] },
  isActive: true,
  createdAt: DateTime.unsafeMake(0)
})
const unused = () => Effect.dieMessage("not used in this test")

/** Starts Sessions over keys and rows that the test can change. */
const startProcess = Effect.gen(function* () {
  const identities = new Map<string, ApiKeyIdentity>([
    [hashOf(key), { id, organizationId, permissions: { messages: ["read"] } }],
    [hashOf(withoutOrganization), { id, organizationId: null, permissions: {} }],
    [hashOf(overLimit), { id, organizationId: limitedOrganization, permissions: {} }]
  ])
  const rows = new Map<string, StorableSession>()
  const links = new Map<string, DateTime.Utc>()
  const Keys = Layer.mock(ApiKeyRepo, {
    findActive: (hash) => Effect.sync(() => Option.fromNullable(identities.get(hash))),
    find: (organization, keyId) =>
      Effect.succeed(organization === organizationId && keyId === id ? Option.some(apiKey) : Option.none()),
    touch: () => Effect.void
  })
  const Tenants = Layer.mock(OrganizationRepo, {
    find: (found) => Effect.succeed(found === organizationId ? Option.some(organization) : Option.none())
  })
  const Rows = Layer.succeed(SessionRepo, {
    insert: (session) => Effect.sync(() => void rows.set(session.hash, session)),
    find: (hash) =>
      Effect.map(DateTime.now, (now) =>
        Option.filter(Option.fromNullable(rows.get(hash)), ({ expiresAt }) => DateTime.greaterThan(expiresAt, now))
      ),
    insertLoginToken: ({ expiresAt, hash }) =>
      Effect.sync(() => {
        links.set(hash, expiresAt)
        return identities.has(hashOf(key))
      }),
    exchangeLoginToken: (hash, session) =>
      Effect.map(DateTime.now, (now) => {
        const expiresAt = links.get(hash)
        links.delete(hash)
        if (expiresAt === undefined || DateTime.lessThanOrEqualTo(expiresAt, now)) return Option.none()
        rows.set(session.hash, { ...session, organizationId, apiKeyId: id, keyHash: hashOf(key) })
        return Option.some(hashOf(key))
      }),
    remove: (hash) => Effect.sync(() => void rows.delete(hash)),
    deleteExpired: unused()
  })
  const Limits = Layer.succeed(
    RateLimits,
    RateLimits.make({
      request: (requester) =>
        requester === limitedOrganization ? new RateLimitedError({ retryAfterSeconds: 7 }) : Effect.succeed(null),
      send: unused,
      refundSend: unused,
      requestLimit: 1
    })
  )
  const context = yield* Layer.build(
    Layer.merge(Sessions.Default, LoginLinks.Default).pipe(
      Layer.provide(ApiKeys.Default.pipe(Layer.provideMerge(Keys))),
      Layer.provide(Layer.mergeAll(Rows, Tenants, Limits, Signatures.Live)),
      Layer.provide(Layer.succeed(MasterKey, Redacted.make<Uint8Array>(randomBytes(32))))
    )
  )
  const createLink = Context.get(context, LoginLinks).create("https://mail.example.net", id)
  /** The token of a new log-in link. */
  const loginToken = Effect.map(createLink, (link) => {
    const [, token = ""] =
      /^https:\/\/mail\.example\.net\/console\/#login=([\w-]{43})$/.exec(Redacted.value(link)) ?? []
    return Redacted.make(token)
  })
  return { sessions: Context.get(context, Sessions), identities, rows, links, loginToken }
})

const tagOf = <A>(effect: Effect.Effect<A, { readonly _tag: string }>) =>
  Effect.match(effect, { onFailure: ({ _tag }) => _tag, onSuccess: () => "ok" })

describe("Sessions", () => {
  it.scoped("authenticate as their key for 12 hours and store only the hash of the token", () =>
    Effect.gen(function* () {
      const { rows, sessions } = yield* startProcess
      const { session, token } = yield* sessions.start(key)
      assert.deepStrictEqual(yield* sessions.authenticate(token), {
        id,
        organizationId,
        permissions: { messages: ["read"] }
      })
      const stored = JSON.stringify([...rows.values()])
      assert.notInclude(stored, Redacted.value(token))
      assert.notInclude(stored, session.csrfToken)
      assert.notInclude(stored, Redacted.value(key))
      const now = yield* DateTime.now
      assert.deepStrictEqual(session.expiresAt, DateTime.add(now, { hours: 12 }))
      for (const [hash, row] of rows) rows.set(hash, { ...row, expiresAt: DateTime.add(now, { seconds: 2 }) })
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* tagOf(sessions.authenticate(token)), "ok")
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* tagOf(sessions.authenticate(token)), "UnauthorizedError")
    })
  )

  it.scoped("start only with an active key of an organization within its rate limit", () =>
    Effect.gen(function* () {
      const { rows, sessions } = yield* startProcess
      const keys = [keyLike("X"), Redacted.make(""), withoutOrganization, overLimit]
      assert.deepStrictEqual(yield* Effect.forEach(keys, (one) => tagOf(sessions.start(one))), [
        "UnauthorizedError",
        "UnauthorizedError",
        "ForbiddenError",
        "RateLimitedError"
      ])
      assert.strictEqual(rows.size, 0)
    })
  )

  it.scoped("end at once, without ending other sessions", () =>
    Effect.gen(function* () {
      const { sessions } = yield* startProcess
      const [one, two] = [yield* sessions.start(key), yield* sessions.start(key)]
      yield* sessions.authenticate(one.token)
      yield* sessions.end(one.token)
      assert.strictEqual(yield* tagOf(sessions.authenticate(one.token)), "UnauthorizedError")
      assert.strictEqual(yield* tagOf(sessions.authenticate(two.token)), "ok")
    })
  )

  it.scoped("end within a second if another process removed the session or its key", () =>
    Effect.gen(function* () {
      const { identities, rows, sessions } = yield* startProcess
      const [one, two] = [yield* sessions.start(key), yield* sessions.start(key)]
      yield* Effect.all([sessions.authenticate(one.token), sessions.authenticate(two.token)])
      for (const [hash] of [...rows].slice(0, 1)) rows.delete(hash)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* tagOf(sessions.authenticate(one.token)), "UnauthorizedError")
      assert.strictEqual(yield* tagOf(sessions.authenticate(two.token)), "ok")
      identities.delete(hashOf(key))
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* tagOf(sessions.authenticate(two.token)), "UnauthorizedError")
    })
  )

  it.scoped("have the organization, the permissions and the role of their key", () =>
    Effect.gen(function* () {
      const { identities, sessions } = yield* startProcess
      const { session, token } = yield* sessions.start(key)
      assert.deepStrictEqual(
        yield* sessions.get(token),
        new SessionDetails({
          organization: { id: organizationId, name: "Example Shop" },
          permissions: { messages: ["read"] },
          roleName: "viewer",
          ...session
        })
      )
      identities.delete(hashOf(key))
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* tagOf(sessions.get(token)), "UnauthorizedError")
    })
  )

  it.scoped("start once with a log-in link, within 15 minutes, as its key", () =>
    Effect.gen(function* () {
      const { identities, links, loginToken, sessions } = yield* startProcess
      const [used, late, ended] = [yield* loginToken, yield* loginToken, yield* loginToken]
      assert.notInclude(JSON.stringify([...links]), Redacted.value(used))
      yield* TestClock.adjust("14 minutes")
      const { session, token } = yield* sessions.exchange(used)
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
      identities.delete(hashOf(key))
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(
        yield* Effect.flip(sessions.exchange(ended)),
        new UnauthorizedError({ message: "The API key of the log-in link has ended" })
      )
      yield* TestClock.adjust("1 minute")
      for (const unknown of [late, Redacted.make("a".repeat(43)), Redacted.make(""), Redacted.make("%")]) {
        assert.deepStrictEqual(yield* Effect.flip(sessions.exchange(unknown)), yield* refusal)
      }
      assert.strictEqual(yield* tagOf(loginToken), "ResourceNotFoundError")
    })
  )

  it.scoped("have their own CSRF token", () =>
    Effect.gen(function* () {
      const { sessions } = yield* startProcess
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
      const { sessions } = yield* startProcess
      for (const token of ["", "x", "a".repeat(44), `${"a".repeat(42)};`, Redacted.value(key)]) {
        assert.strictEqual(yield* tagOf(sessions.authenticate(Redacted.make(token))), "UnauthorizedError")
      }
    })
  )
})
