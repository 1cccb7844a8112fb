import { hash, randomBytes } from "node:crypto"
import type { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import { DateTime, Effect, Redacted } from "effect"
import { SessionRepo } from "./SessionRepo.js"

/** 256 bits, as 43 characters that need no escape in a cookie or a URL. */
const tokenPattern = /^[\w-]{43}$/

/** Generates the token of a session or of a log-in link. */
export const freshToken = Effect.sync(() => Redacted.make(randomBytes(32).toString("base64url")))

/** Whether a text has the form of a token. */
export const isToken = (token: Redacted.Redacted<string>) => tokenPattern.test(Redacted.value(token))

/** The SHA-256 (hex) of a token. The token itself is never stored. */
export const tokenHash = (token: Redacted.Redacted<string>) => hash("sha256", Redacted.value(token), "hex")

/** The minutes for which a log-in link is valid. */
export const loginLinkMinutes = 15

/** Links that open the console with the permissions of an API key, once. */
export class LoginLinks extends Effect.Service<LoginLinks>()("services/LoginLinks", {
  effect: Effect.gen(function* () {
    const repo = yield* SessionRepo

    /**
     * Creates a link for an API key of an organization. Its token is in the fragment, which browsers do not send to
     * servers. Fails if the key has ended or belongs to no organization.
     */
    const create = Effect.fn("LoginLinks.create")(function* (baseUrl: string, apiKeyId: ApiKeyId) {
      const token = yield* freshToken
      const expiresAt = DateTime.add(yield* DateTime.now, { minutes: loginLinkMinutes })
      if (!(yield* repo.insertLoginToken({ hash: tokenHash(token), apiKeyId, expiresAt }))) {
        return yield* new ResourceNotFoundError({ resource: "apiKey", id: apiKeyId })
      }
      return Redacted.make(`${baseUrl}/console/#login=${Redacted.value(token)}`)
    })

    return { create } as const
  })
}) {}
