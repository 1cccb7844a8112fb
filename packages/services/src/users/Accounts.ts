import {
  ForbiddenError,
  SecondFactorRequiredError,
  UnauthorizedError,
  ValidationError
} from "@switchboard/domain/Errors"
import { AddressParameter, addressKey } from "@switchboard/domain/email/EmailAddress"
import type { RecoveryCodes } from "@switchboard/domain/users/User"
import { Effect, Option, type Redacted, Schema } from "effect"
import { AuthenticationFailures } from "../rateLimits/AuthenticationFailures.js"
import { RateLimits } from "../rateLimits/RateLimits.js"
import { tokenHash } from "../sessions/LoginLinks.js"
import { Sessions } from "../sessions/Sessions.js"
import { checkPassword, Passwords } from "./Passwords.js"
import { SecondFactors } from "./SecondFactors.js"
import { type StoredUser, UserRepo } from "./UserRepo.js"

const wrongCredentials = new UnauthorizedError({ message: "The e-mail address or the password is wrong" })

const wrongFactor = new UnauthorizedError({ message: "The code of the second factor is wrong or was used before" })

const needsFactor = new SecondFactorRequiredError({
  message: "The log-in needs a code of the authenticator app, or a recovery code"
})

const noUser = new ForbiddenError({ message: "The session is that of an API key, which has no password" })

const invalid = (field: string, message: string) =>
  new ValidationError({ message: "The request body is invalid", fields: { [field]: [message] } })

const wrongPassword = invalid("currentPassword", "is wrong")
const wrongCode = invalid("code", "is wrong or was used before")

const parseAddress = Schema.decodeOption(AddressParameter)

/** The log-ins, passwords and second factors of users. */
export class Accounts extends Effect.Service<Accounts>()("services/Accounts", {
  effect: Effect.gen(function* () {
    const users = yield* UserRepo
    const passwords = yield* Passwords
    const factors = yield* SecondFactors
    const sessions = yield* Sessions
    const limits = yield* RateLimits
    const failures = yield* AuthenticationFailures

    /** Whether a code of a user is right. Without a second factor each one is; with one, a log-in without a code fails. */
    const checkFactor = (stored: StoredUser, code: Option.Option<Redacted.Redacted<string>>) =>
      stored.user.hasTotp
        ? Effect.flatMap(
            Effect.mapError(code, () => needsFactor),
            (given) => factors.use(stored, given)
          )
        : Effect.succeed(true)

    /**
     * The user with an address, if it has this password and this code. Counts attempts by address, also of addresses
     * without a user. A right password without a code neither counts nor resets the count.
     */
    const authenticate = Effect.fnUntraced(function* (
      email: string,
      password: Redacted.Redacted<string>,
      code: Option.Option<Redacted.Redacted<string>>
    ) {
      const address = parseAddress(email)
      let found: Option.Option<StoredUser> = Option.none()
      let refusal = wrongCredentials
      const isValid = yield* failures.attempt(
        Option.getOrElse(Option.map(address, addressKey), () => ""),
        Effect.gen(function* () {
          found = Option.isNone(address) ? Option.none() : yield* users.findByEmail(address.value)
          const isPassword = yield* passwords.verify(
            password,
            Option.flatMap(found, ({ passwordHash }) => passwordHash)
          )
          if (!isPassword || Option.isNone(found)) return false
          refusal = wrongFactor
          return yield* checkFactor(found.value, code)
        })
      )
      return yield* Effect.mapError(
        Option.filter(found, () => isValid),
        () => refusal
      )
    })

    /** Starts a session with an address, a password and a code. The error is the same for an unknown address. */
    const logIn = Effect.fn("Accounts.logIn")(function* (
      email: string,
      password: Redacted.Redacted<string>,
      code: Option.Option<Redacted.Redacted<string>>
    ) {
      const found = yield* authenticate(email, password, code)
      yield* limits.request(found.organizationId)
      const { stored: session, ...started } = yield* sessions.begin
      if (!(yield* users.logIn(found, session))) return yield* wrongCredentials
      return started
    })

    /** The user of a session. */
    const userOf = Effect.fnUntraced(function* (token: Redacted.Redacted<string>) {
      const { id } = yield* sessions.authenticate(token)
      return yield* Effect.mapError(yield* users.findByApiKey(id), () => noUser)
    })

    /** Checks the password of a session's user, and counts it as an attempt of a log-in. */
    const checkCurrent = Effect.fnUntraced(function* (
      { passwordHash, user }: StoredUser,
      password: Redacted.Redacted<string>,
      refusal: ValidationError
    ) {
      const isValid = yield* failures.attempt(addressKey(user.email), passwords.verify(password, passwordHash))
      if (!isValid) return yield* refusal
    })

    /** Changes the password of the session's user. The user's other sessions end within a second. */
    const changePassword = Effect.fn("Accounts.changePassword")(function* (
      token: Redacted.Redacted<string>,
      current: Redacted.Redacted<string>,
      next: Redacted.Redacted<string>
    ) {
      const stored = yield* userOf(token)
      yield* checkPassword(next, stored.user.email, "newPassword")
      yield* checkCurrent(stored, current, wrongPassword)
      const passwordHash = yield* passwords.hash(next)
      if (!(yield* users.changePassword(stored, passwordHash, tokenHash(token)))) return yield* wrongPassword
    })

    /** Makes a secret for the second factor of the session's user. A code confirms it. */
    const beginTotp = Effect.fn("Accounts.beginTotp")(function* (
      token: Redacted.Redacted<string>,
      password: Redacted.Redacted<string>
    ) {
      const stored = yield* userOf(token)
      yield* checkCurrent(stored, password, invalid("password", "is wrong"))
      return yield* factors.begin(stored)
    })

    /** Confirms the second factor of the session's user. The user's other sessions end within a second. */
    const confirmTotp = Effect.fn("Accounts.confirmTotp")(function* (
      token: Redacted.Redacted<string>,
      code: Redacted.Redacted<string>
    ) {
      const stored = yield* userOf(token)
      let confirmed: Option.Option<RecoveryCodes> = Option.none()
      yield* failures.attempt(
        addressKey(stored.user.email),
        Effect.gen(function* () {
          confirmed = yield* factors.confirm(stored, tokenHash(token), code)
          return Option.isSome(confirmed)
        })
      )
      return yield* Effect.mapError(confirmed, () => wrongCode)
    })

    /** Removes the second factor of the session's user. */
    const removeTotp = Effect.fn("Accounts.removeTotp")(function* (
      token: Redacted.Redacted<string>,
      password: Redacted.Redacted<string>,
      code: Redacted.Redacted<string>
    ) {
      const stored = yield* userOf(token)
      let refusal = invalid("password", "is wrong")
      const isValid = yield* failures.attempt(
        addressKey(stored.user.email),
        Effect.gen(function* () {
          if (!(yield* passwords.verify(password, stored.passwordHash))) return false
          refusal = wrongCode
          return yield* factors.remove(stored, code)
        })
      )
      if (!isValid) return yield* refusal
    })

    return { logIn, changePassword, beginTotp, confirmTotp, removeTotp } as const
  })
}) {}
