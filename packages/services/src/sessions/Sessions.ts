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

/** How long a log-in lasts. */
export const sessionLifetime = "12 hours"

/** 256 bits, as 43 characters that need no escape in a cookie. */
const tokenPattern = /^[\w-]{43}$/

const freshToken = Effect.sync(() => Redacted.make(randomBytes(32).toString("base64url")))

const purpose = "session-csrf"

const over = new UnauthorizedError({ message: "The session is missing or over" })

/** The log-ins of browsers: each speaks for the key that it was started with, and ends with it. */
export class Sessions extends Effect.Service<Sessions>()("services/Sessions", {
  effect: Effect.gen(function* () {
    const repo = yield* SessionRepo
    const apiKeys = yield* ApiKeys
    const limits = yield* RateLimits
    const signatures = yield* Signatures

    // A session that was ended stops within a second on every process, since none keeps it for longer than this.
    const keyHashes = yield* sharedLookup({
      capacity: 10_000,
      timeToLive: "500 millis",
      lookup: repo.findKeyHash
    })

    const tokenHash = (token: Redacted.Redacted<string>) =>
      createHash("sha256").update(Redacted.value(token)).digest("hex")

    /** Starts a session; its token is in this answer alone. */
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

    /** Who the session's key speaks for. Whatever is wrong with session or key, the answer is the same. */
    const authenticate = Effect.fnUntraced(function* (token: Redacted.Redacted<string>) {
      if (!tokenPattern.test(Redacted.value(token))) return yield* over
      const keyHash = yield* Effect.flatten(keyHashes.get(tokenHash(token))).pipe(
        Effect.catchTag("NoSuchElementException", () => over)
      )
      return yield* Effect.catchTag(apiKeys.identify(keyHash), "UnauthorizedError", () => over)
    })

    /** Whether a page that sends this shows that it was told the session's token against forged requests. */
    const isCsrfToken = (token: Redacted.Redacted<string>, given: string) =>
      signatures.verify(purpose, Redacted.value(token), given)

    const end = Effect.fn("Sessions.end")(function* (token: Redacted.Redacted<string>) {
      const hash = tokenHash(token)
      yield* repo.remove(hash)
      yield* keyHashes.invalidate(hash)
    })

    return { start, authenticate, isCsrfToken, end } as const
  })
}) {}
