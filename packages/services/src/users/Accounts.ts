import { ForbiddenError, UnauthorizedError, ValidationError } from "@switchboard/domain/Errors"
import { AddressParameter, addressKey } from "@switchboard/domain/email/EmailAddress"
import { Effect, Option, type Redacted, Schema } from "effect"
import { AuthenticationFailures } from "../rateLimits/AuthenticationFailures.js"
import { RateLimits } from "../rateLimits/RateLimits.js"
import { tokenHash } from "../sessions/LoginLinks.js"
import { Sessions } from "../sessions/Sessions.js"
import { checkPassword, Passwords } from "./Passwords.js"
import { type StoredUser, UserRepo } from "./UserRepo.js"

const wrongCredentials = new UnauthorizedError({ message: "The e-mail address or the password is wrong" })

const noUser = new ForbiddenError({ message: "The session is that of an API key, which has no password" })

const wrongPassword = new ValidationError({
  message: "The request body is invalid",
  fields: { currentPassword: ["is wrong"] }
})

const parseAddress = Schema.decodeOption(AddressParameter)

/** The log-ins and passwords of users. */
export class Accounts extends Effect.Service<Accounts>()("services/Accounts", {
  effect: Effect.gen(function* () {
    const users = yield* UserRepo
    const passwords = yield* Passwords
    const sessions = yield* Sessions
    const limits = yield* RateLimits
    const failures = yield* AuthenticationFailures

    /** The user with an address, if it has this password. Counts attempts by address, also of addresses without a user. */
    const authenticate = Effect.fnUntraced(function* (email: string, password: Redacted.Redacted<string>) {
      const address = parseAddress(email)
      let found: Option.Option<StoredUser> = Option.none()
      const isValid = yield* failures.attempt(
        Option.getOrElse(Option.map(address, addressKey), () => ""),
        Effect.gen(function* () {
          found = Option.isNone(address) ? Option.none() : yield* users.findByEmail(address.value)
          return yield* passwords.verify(
            password,
            Option.flatMap(found, ({ passwordHash }) => passwordHash)
          )
        })
      )
      return Option.filter(found, () => isValid)
    })

    /** Starts a session with an address and a password. The error is the same for an unknown address. */
    const logIn = Effect.fn("Accounts.logIn")(function* (email: string, password: Redacted.Redacted<string>) {
      const found = yield* Effect.mapError(yield* authenticate(email, password), () => wrongCredentials)
      yield* limits.request(found.organizationId)
      const { stored: session, ...started } = yield* sessions.begin
      if (!(yield* users.logIn(found, session))) return yield* wrongCredentials
      return started
    })

    /** Changes the password of the session's user. The user's other sessions end within a second. */
    const changePassword = Effect.fn("Accounts.changePassword")(function* (
      token: Redacted.Redacted<string>,
      current: Redacted.Redacted<string>,
      next: Redacted.Redacted<string>
    ) {
      const { id } = yield* sessions.authenticate(token)
      const stored = yield* Effect.mapError(yield* users.findByApiKey(id), () => noUser)
      const { email } = stored.user
      yield* checkPassword(next, email, "newPassword")
      const isValid = yield* failures.attempt(addressKey(email), passwords.verify(current, stored.passwordHash))
      if (!isValid) return yield* wrongPassword
      const passwordHash = yield* passwords.hash(next)
      if (!(yield* users.changePassword(stored, passwordHash, tokenHash(token)))) return yield* wrongPassword
    })

    return { logIn, changePassword } as const
  })
}) {}
