import { createHash, randomBytes } from "node:crypto"
import { ForbiddenError, UnauthorizedError } from "@switchboard/domain/Errors"
import { Session } from "@switchboard/domain/sessions/Session"
import { DateTime, Effect, Redacted } from "effect"
import { ApiKeys } from "../apiKeys/ApiKeys.js"
import { hashOf } from "../apiKeys/NewApiKey.js"
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
    const apiKeys = yield* ApiKeys
    const limits = yield* RateLimits
    const signatures = yield* Signatures

    // An ended session stops working within a second in every process, since the cache lives shorter than that.
    const keyHashes = yield* sharedLookup({
      capacity: 10_000,
      timeToLive: "500 millis",
      lookup: repo.findKeyHash
    })

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
      const session = new Session({ csrfToken: signatures.sign(purpose, Redacted.value(token)), expiresAt })
      return { token, session } as const
    })

    /** The identity of the session's key. Every kind of invalid session or key fails with the same error. */
    const authenticate = Effect.fnUntraced(function* (token: Redacted.Redacted<string>) {
      if (!tokenPattern.test(Redacted.value(token))) return yield* invalidSession
      const keyHash = yield* Effect.flatten(keyHashes.get(tokenHash(token))).pipe(
        Effect.catchTag("NoSuchElementException", () => invalidSession)
      )
      return yield* Effect.catchTag(apiKeys.identify(keyHash), "UnauthorizedError", () => invalidSession)
    })

    /** Whether a CSRF token belongs to the session. */
    const isCsrfToken = (token: Redacted.Redacted<string>, csrfToken: string) =>
      signatures.verify(purpose, Redacted.value(token), csrfToken)

    const end = Effect.fn("Sessions.end")(function* (token: Redacted.Redacted<string>) {
      const hash = tokenHash(token)
      yield* repo.remove(hash)
      yield* keyHashes.invalidate(hash)
    })

    return { start, authenticate, isCsrfToken, end } as const
  })
}) {}
