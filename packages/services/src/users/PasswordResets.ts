import type { ApiKeyIdentity } from "@switchboard/domain/apiKeys/ApiKey"
import { UnauthorizedError } from "@switchboard/domain/Errors"
import type { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { ApiRequestMetadata } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { PasswordResetId } from "@switchboard/domain/users/User"
import { DateTime, Effect, Option, type Redacted } from "effect"
import { newId } from "../NewId.js"
import { tokenHash } from "../sessions/LoginLinks.js"
import { checkPassword, Passwords } from "./Passwords.js"
import { UserMails } from "./UserMails.js"
import { UserRepo } from "./UserRepo.js"

/** The minutes for which a link that sets a password is valid. */
const resetMinutes = 60

/** The valid links of a user. More are not made, so that a request can't fill a mailbox. */
const maxOpenResets = 3

/** The requests that a process handles at the same time. */
const maxConcurrent = 4

const invalidReset = new UnauthorizedError({
  message: `The link was used before or is older than ${resetMinutes} minutes: request a new one`
})

/** A valid link, with the identity of its user. */
interface PasswordReset extends Pick<ApiKeyIdentity, "id"> {
  readonly organizationId: OrganizationId
  readonly email: EmailAddress
  /** The SHA-256 (hex) of the token. */
  readonly hash: string
}

/** Links that set a new password, by mail. Only the hash of a link's token is stored. */
export class PasswordResets extends Effect.Service<PasswordResets>()("services/PasswordResets", {
  scoped: Effect.gen(function* () {
    const users = yield* UserRepo
    const passwords = yield* Passwords
    const mails = yield* UserMails
    const scope = yield* Effect.scope
    const turns = yield* Effect.makeSemaphore(maxConcurrent)

    const mail = Effect.fnUntraced(function* (email: EmailAddress, request: ApiRequestMetadata) {
      const found = yield* users.findByEmail(email)
      if (Option.isNone(found)) return
      const { apiKeyId, organizationId, user } = found.value
      const { id, now } = yield* newId(PasswordResetId)
      const { nonce, token } = yield* mails.newToken(organizationId, id)
      const expiresAt = DateTime.add(now, { minutes: resetMinutes })
      if (!(yield* users.insertReset(user.id, { tokenHash: tokenHash(token), expiresAt }, maxOpenResets))) return
      yield* mails.send(
        { organizationId, apiKeyId, request, traceParent: null },
        {
          to: user.email,
          page: "reset",
          subjectId: id,
          nonce,
          subject: "Set a new password",
          before: `A new password was requested for your account. Set it within ${resetMinutes} minutes:`,
          after: "If you did not request this, ignore it: your password stays as it is."
        }
      )
    })

    /**
     * Mails a link to the user with an address. It goes on after the response, whose time would otherwise reveal whether
     * the address has a user.
     */
    const request = (email: EmailAddress, metadata: ApiRequestMetadata) =>
      turns
        .withPermits(1)(mail(email, metadata))
        .pipe(
          Effect.catchAllCause((cause) => Effect.logError("A link for a new password was not mailed", cause)),
          Effect.forkIn(scope),
          Effect.asVoid
        )

    /** The reset of a link's token. */
    const find = Effect.fn("PasswordResets.find")(function* (token: Redacted.Redacted<string>) {
      const hash = tokenHash(token)
      const { apiKeyId, organizationId, user } = yield* Effect.mapError(
        yield* users.findByReset(hash),
        () => invalidReset
      )
      const reset: PasswordReset = { id: apiKeyId, organizationId, email: user.email, hash }
      return reset
    })

    /** Sets the password of a reset's user and ends all sessions of the user. A link works once. */
    const confirm = Effect.fn("PasswordResets.confirm")(function* (
      { email, hash }: PasswordReset,
      password: Redacted.Redacted<string>
    ) {
      yield* checkPassword(password, email, "password")
      if (!(yield* users.resetPassword(hash, yield* passwords.hash(password)))) return yield* invalidReset
    })

    return { request, find, confirm } as const
  })
}) {}
