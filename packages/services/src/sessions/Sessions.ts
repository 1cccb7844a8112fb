import { ForbiddenError, UnauthorizedError } from "@switchboard/domain/Errors"
import type { SubmissionAddress } from "@switchboard/domain/email/submission/SubmissionAddress"
import { Session, SessionDetails } from "@switchboard/domain/sessions/Session"
import { SessionUser } from "@switchboard/domain/users/User"
import { Context, DateTime, Effect, Option, Redacted } from "effect"
import { ApiKeyRepo } from "../apiKeys/ApiKeyRepo.js"
import { ApiKeys } from "../apiKeys/ApiKeys.js"
import { hashOf } from "../apiKeys/NewApiKey.js"
import { OrganizationRepo } from "../organizations/OrganizationRepo.js"
import { RateLimits } from "../rateLimits/RateLimits.js"
import { Signatures } from "../SecretBox.js"
import { sharedLookup } from "../SharedLookup.js"
import { UserRepo } from "../users/UserRepo.js"
import { freshToken, isToken, loginLinkMinutes, tokenHash } from "./LoginLinks.js"
import { SessionRepo } from "./SessionRepo.js"

/** The lifetime of a session. */
export const sessionLifetime = "12 hours"

const purpose = "session-csrf"

const invalidSession = new UnauthorizedError({ message: "The session is missing or has ended" })

const invalidLink = new UnauthorizedError({
  message: `The log-in link was used before or is older than ${loginLinkMinutes} minutes: run "switchboard login-link" for a new one`
})

const endedKey = new UnauthorizedError({ message: "The API key of the log-in link has ended" })

/** Where programs submit mail over SMTP, as they reach it; none without a listener. */
export class PublicSubmission extends Context.Tag("services/PublicSubmission")<
  PublicSubmission,
  Option.Option<SubmissionAddress>
>() {}

/** The sessions of browsers. A session acts for an API key, its own or that of a user, and ends with it. */
export class Sessions extends Effect.Service<Sessions>()("services/Sessions", {
  effect: Effect.gen(function* () {
    const repo = yield* SessionRepo
    const keys = yield* ApiKeyRepo
    const users = yield* UserRepo
    const organizations = yield* OrganizationRepo
    const apiKeys = yield* ApiKeys
    const limits = yield* RateLimits
    const signatures = yield* Signatures
    const submission = yield* PublicSubmission

    // An ended session stops working within a second in every process, since the cache lives shorter than that.
    const known = yield* sharedLookup({
      capacity: 10_000,
      timeToLive: "500 millis",
      lookup: repo.find,
      idOf: (hash) => hash
    })

    const csrfTokenOf = (token: Redacted.Redacted<string>) => signatures.sign(purpose, Redacted.value(token))

    /** A session that begins now and is not stored, with its token, which is in this response only. */
    const begin = Effect.gen(function* () {
      const token = yield* freshToken
      const createdAt = yield* DateTime.now
      const expiresAt = DateTime.addDuration(createdAt, sessionLifetime)
      return {
        token,
        session: new Session({ csrfToken: csrfTokenOf(token), expiresAt }),
        stored: { hash: tokenHash(token), createdAt, expiresAt }
      } as const
    })

    /** Starts a session with an API key. */
    const start = Effect.fn("Sessions.start")(function* (key: Redacted.Redacted<string>) {
      const { id, organizationId } = yield* apiKeys.authenticate(key)
      if (organizationId === null) {
        return yield* new ForbiddenError({ message: "The API key belongs to no organization" })
      }
      yield* limits.request(organizationId)
      const { stored, ...started } = yield* begin
      yield* repo.insert({ ...stored, organizationId, apiKeyId: id, keyHash: hashOf(key) })
      return started
    })

    /** Starts a session with the token of a log-in link. Only the first exchange of a token succeeds. */
    const exchange = Effect.fn("Sessions.exchange")(function* (loginToken: Redacted.Redacted<string>) {
      if (!isToken(loginToken)) return yield* invalidLink
      const { stored, ...started } = yield* begin
      const keyHash = yield* Effect.catchTag(
        Effect.flatten(repo.exchangeLoginToken(tokenHash(loginToken), stored)),
        "NoSuchElementException",
        () => invalidLink
      )
      yield* Effect.catchTag(apiKeys.identify(keyHash), "UnauthorizedError", () => endedKey)
      return started
    })

    /** The session of a token and the identity of its key. Every kind of invalid session or key fails with the same error. */
    const find = Effect.fnUntraced(function* (token: Redacted.Redacted<string>) {
      if (!isToken(token)) return yield* invalidSession
      const { expiresAt, keyHash } = yield* Effect.catchTag(
        Effect.flatten(known.get(tokenHash(token))),
        "NoSuchElementException",
        () => invalidSession
      )
      const identity = yield* Effect.catchTag(apiKeys.identify(keyHash), "UnauthorizedError", () => invalidSession)
      return { expiresAt, identity } as const
    })

    /** The identity of the session's key. */
    const authenticate = (token: Redacted.Redacted<string>) => Effect.map(find(token), ({ identity }) => identity)

    /** Describes a session with its organization, its permissions, its user and the address for mail of programs. */
    const get = Effect.fn("Sessions.get")(function* (token: Redacted.Redacted<string>) {
      const { expiresAt, identity } = yield* find(token)
      if (identity.organizationId === null) return yield* invalidSession
      const [organization, apiKey, found] = yield* Effect.all(
        [
          organizations.find(identity.organizationId),
          keys.find(identity.organizationId, identity.id),
          users.findByApiKey(identity.id)
        ],
        { concurrency: 3 }
      )
      const { id, name } = yield* Effect.mapError(organization, () => invalidSession)
      const user = Option.map(found, (stored) => stored.user)
      const { roleName } = yield* Effect.mapError(
        Option.orElse(user, () => apiKey),
        () => invalidSession
      )
      return new SessionDetails({
        organization: { id, name },
        permissions: identity.permissions,
        roleName,
        user: Option.getOrUndefined(
          Option.map(
            user,
            ({ email, hasTotp, id: userId, name: userName }) =>
              new SessionUser({ id: userId, email, name: userName, hasTotp })
          )
        ),
        submission: Option.getOrUndefined(submission),
        expiresAt,
        csrfToken: csrfTokenOf(token)
      })
    })

    /** Whether a CSRF token belongs to the session. */
    const isCsrfToken = (token: Redacted.Redacted<string>, csrfToken: string) =>
      signatures.verify(purpose, Redacted.value(token), csrfToken)

    const end = Effect.fn("Sessions.end")(function* (token: Redacted.Redacted<string>) {
      const hash = tokenHash(token)
      yield* repo.remove(hash)
      yield* known.invalidate(hash)
    })

    return { begin, start, exchange, authenticate, get, isCsrfToken, end } as const
  })
}) {}
