import { createHash, randomBytes } from "node:crypto"
import { ForbiddenError, UnauthorizedError } from "@switchboard/domain/Errors"
import { Session, SessionDetails } from "@switchboard/domain/sessions/Session"
import { DateTime, Effect, Redacted } from "effect"
import { ApiKeyRepo } from "../apiKeys/ApiKeyRepo.js"
import { ApiKeys } from "../apiKeys/ApiKeys.js"
import { hashOf } from "../apiKeys/NewApiKey.js"
import { OrganizationRepo } from "../organizations/OrganizationRepo.js"
import { RateLimits } from "../rateLimits/RateLimits.js"
import { sharedLookup } from "../SharedLookup.js"
import { Signatures } from "../Signatures.js"
import { SessionRepo } from "./SessionRepo.js"

/** The lifetime of a session. */
export const sessionLifetime = "12 hours"

/** 256 bits, as 43 characters that need no escape in a cookie. */
const tokenPattern = /^[\w-]{43}$/

const freshToken = Effect.sync(() => Redacted.make(randomBytes(32).toString("base64url")))

const purpose = "session-csrf"

const invalidSession = new UnauthorizedError({ message: "The session is missing or has ended" })

/** The sessions of browsers. A session acts for the API key that started it, and ends with it. */
export class Sessions extends Effect.Service<Sessions>()("services/Sessions", {
  effect: Effect.gen(function* () {
    const repo = yield* SessionRepo
    const keys = yield* ApiKeyRepo
    const organizations = yield* OrganizationRepo
    const apiKeys = yield* ApiKeys
    const limits = yield* RateLimits
    const signatures = yield* Signatures

    // An ended session stops working within a second in every process, since the cache lives shorter than that.
    const stored = yield* sharedLookup({
      capacity: 10_000,
      timeToLive: "500 millis",
      lookup: repo.find
    })

    const csrfTokenOf = (token: Redacted.Redacted<string>) => signatures.sign(purpose, Redacted.value(token))

    const tokenHash = (token: Redacted.Redacted<string>) =>
      createHash("sha256").update(Redacted.value(token)).digest("hex")

    /** Starts a session. Its token is in this response only. */
    const start = Effect.fn("Sessions.start")(function* (key: Redacted.Redacted<string>) {
      const { id, organizationId } = yield* apiKeys.authenticate(key)
      if (organizationId === null) {
        return yield* new ForbiddenError({ message: "The API key belongs to no organization" })
      }
      yield* limits.request(organizationId)
      const token = yield* freshToken
      const createdAt = yield* DateTime.now
      const expiresAt = DateTime.addDuration(createdAt, sessionLifetime)
      yield* repo.insert({
        hash: tokenHash(token),
        organizationId,
        apiKeyId: id,
        keyHash: hashOf(key),
        createdAt,
        expiresAt
      })
      const session = new Session({ csrfToken: csrfTokenOf(token), expiresAt })
      return { token, session } as const
    })

    /** The session of a token and the identity of its key. Every kind of invalid session or key fails with the same error. */
    const find = Effect.fnUntraced(function* (token: Redacted.Redacted<string>) {
      if (!tokenPattern.test(Redacted.value(token))) return yield* invalidSession
      const { expiresAt, keyHash } = yield* Effect.catchTag(
        Effect.flatten(stored.get(tokenHash(token))),
        "NoSuchElementException",
        () => invalidSession
      )
      const identity = yield* Effect.catchTag(apiKeys.identify(keyHash), "UnauthorizedError", () => invalidSession)
      return { expiresAt, identity } as const
    })

    /** The identity of the session's key. */
    const authenticate = (token: Redacted.Redacted<string>) => Effect.map(find(token), ({ identity }) => identity)

    /** Describes a session with its organization and the permissions of its key. */
    const get = Effect.fn("Sessions.get")(function* (token: Redacted.Redacted<string>) {
      const { expiresAt, identity } = yield* find(token)
      if (identity.organizationId === null) return yield* invalidSession
      const [organization, apiKey] = yield* Effect.all(
        [organizations.find(identity.organizationId), keys.find(identity.organizationId, identity.id)],
        { concurrency: 2 }
      )
      const { id, name } = yield* Effect.mapError(organization, () => invalidSession)
      const { permissions, roleName } = yield* Effect.mapError(apiKey, () => invalidSession)
      return new SessionDetails({
        organization: { id, name },
        permissions,
        roleName,
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
      yield* stored.invalidate(hash)
    })

    return { start, authenticate, get, isCsrfToken, end } as const
  })
}) {}
