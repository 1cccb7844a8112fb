import { ConflictError } from "@switchboard/domain/Errors"
import { RecoveryCodes, TotpSecret } from "@switchboard/domain/users/User"
import { Clock, Effect, Either, Option, Redacted } from "effect"
import { Secret, TOTP } from "otpauth"
import { SecretBox } from "../SecretBox.js"
import { tokenHash } from "../sessions/LoginLinks.js"
import { SecondFactorRepo, type StoredFactor, totpPurpose, type UsedFactor } from "./SecondFactorRepo.js"
import type { StoredUser } from "./UserRepo.js"

/** The issuer that authenticator apps show. */
const issuer = "Switchboard"

/** The defaults of RFC 6238, which all authenticator apps support. */
const parameters = { algorithm: "SHA1", digits: 6, period: 30 } as const

/** The octets of a secret (RFC 4226 section 4: 160 bits) and of a recovery code. */
const secretLength = 20
const recoveryLength = 10
const recoveryCount = 10

/** The time steps before and after the present one whose codes are accepted (RFC 6238 section 5.2). */
const window = 1

const hasFactor = new ConflictError({
  message: "The user has a second factor: remove it first",
  resource: "totp"
})

const noPending = new ConflictError({
  message: "There is no second factor to confirm: begin one with POST /v1/session/totp",
  resource: "totp"
})

const noFactor = new ConflictError({ message: "The user has no second factor", resource: "totp" })

/** Codes are compared without spaces, hyphens and case: people type them in groups. */
const normalized = (code: Redacted.Redacted<string>) => Redacted.value(code).replace(/[\s-]/g, "").toUpperCase()

const recoveryHash = (code: Redacted.Redacted<string>) => tokenHash(Redacted.make(normalized(code)))

const newRecoveryCode = Effect.sync(() => {
  const { base32 } = new Secret({ size: recoveryLength })
  return (base32.match(/.{4}/g) ?? []).join("-").toLowerCase()
})

/** The time step of a code: none if it is wrong, or not newer than the last one. */
const stepOf = (
  secret: Redacted.Redacted<string>,
  code: string,
  lastStep: Option.Option<number>,
  timestamp: number
) => {
  const { digits, period } = parameters
  if (code.length !== digits) return Option.none()
  const delta = TOTP.validate({
    ...parameters,
    secret: Secret.fromBase32(Redacted.value(secret)),
    token: code,
    timestamp,
    window
  })
  const step = Option.map(Option.fromNullable(delta), (steps) => TOTP.counter({ period, timestamp }) + steps)
  return Option.filter(step, (one) => Option.match(lastStep, { onNone: () => true, onSome: (last) => one > last }))
}

/** Second factors of users by TOTP (RFC 6238), with recovery codes. A code works once. */
export class SecondFactors extends Effect.Service<SecondFactors>()("services/SecondFactors", {
  effect: Effect.gen(function* () {
    const repo = yield* SecondFactorRepo
    const box = yield* SecretBox

    /** The time step of a code. Without a readable secret no code of the app is right, and recovery codes still work. */
    const findStep = Effect.fnUntraced(function* (
      user: StoredUser,
      { lastStep, sealed }: StoredFactor,
      code: Redacted.Redacted<string>
    ) {
      const opened = yield* Effect.either(box.open(totpPurpose, user.user.id, sealed))
      if (Either.isLeft(opened)) {
        yield* Effect.logError(`The second factor of the user ${user.user.id} can't be checked: ${opened.left.message}`)
        return Option.none()
      }
      return stepOf(opened.right, normalized(code), lastStep, yield* Clock.currentTimeMillis)
    })

    /** The factor after the use of a code of the app or of a recovery code; none if it is wrong. */
    const useCode = Effect.fnUntraced(function* (
      user: StoredUser,
      factor: StoredFactor,
      lastStep: number,
      code: Redacted.Redacted<string>
    ) {
      const { recoveryHashes } = factor
      const hash = recoveryHash(code)
      const used: Option.Option<UsedFactor> = recoveryHashes.includes(hash)
        ? Option.some({ lastStep, recoveryHashes: recoveryHashes.filter((one) => one !== hash) })
        : Option.map(yield* findStep(user, factor, code), (step) => ({ lastStep: step, recoveryHashes }))
      return used
    })

    /** Changes a confirmed factor with a code. False for a wrong code, and without such a factor. */
    const withCode = (
      user: StoredUser,
      code: Redacted.Redacted<string>,
      next: (used: UsedFactor) => Option.Option<UsedFactor>
    ) =>
      repo.change(user, (found) =>
        Option.match(Option.all([found, Option.flatMap(found, ({ lastStep }) => lastStep)]), {
          onNone: () => Effect.succeedNone,
          onSome: ([factor, lastStep]) =>
            Effect.map(
              useCode(user, factor, lastStep, code),
              Option.map((used) => ({ factor: next(used), onlySession: Option.none() }))
            )
        })
      )

    /** Makes a secret that is not confirmed. Fails if the user has a second factor. */
    const begin = Effect.fn("SecondFactors.begin")(function* (user: StoredUser) {
      const { email, id } = user.user
      const secret = yield* Effect.sync(() => new Secret({ size: secretLength }))
      const sealed = box.seal(totpPurpose, id, Redacted.make(secret.base32))
      if (!(yield* repo.begin(user, sealed))) return yield* hasFactor
      return new TotpSecret({
        secret: secret.base32,
        uri: new TOTP({ ...parameters, issuer, label: email, secret }).toString()
      })
    })

    /**
     * Confirms the secret with a code of it. Ends the user's other sessions, which have no second factor. Returns the
     * recovery codes, of which only hashes are stored; none for a wrong code.
     */
    const confirm = Effect.fn("SecondFactors.confirm")(function* (
      user: StoredUser,
      sessionHash: string,
      code: Redacted.Redacted<string>
    ) {
      const recoveryCodes = yield* Effect.replicateEffect(newRecoveryCode, recoveryCount)
      const recoveryHashes = recoveryCodes.map((one) => recoveryHash(Redacted.make(one)))
      const isConfirmed = yield* repo.change(user, (found) =>
        Effect.gen(function* () {
          const pending = Option.filter(found, ({ lastStep }) => Option.isNone(lastStep))
          if (Option.isNone(pending)) return yield* Option.isNone(found) ? noPending : hasFactor
          return Option.map(yield* findStep(user, pending.value, code), (lastStep) => ({
            factor: Option.some({ lastStep, recoveryHashes }),
            onlySession: Option.some(sessionHash)
          }))
        })
      )
      return isConfirmed ? Option.some(new RecoveryCodes({ recoveryCodes })) : Option.none()
    })

    /** Uses a code of a user. Returns whether it is right. */
    const use = (user: StoredUser, code: Redacted.Redacted<string>) => withCode(user, code, Option.some)

    /** Removes the second factor of a user with a code. Returns whether the code is right. */
    const remove = Effect.fn("SecondFactors.remove")(function* (user: StoredUser, code: Redacted.Redacted<string>) {
      if (!user.user.hasTotp) return yield* noFactor
      return yield* withCode(user, code, Option.none)
    })

    return { begin, confirm, use, remove } as const
  })
}) {}
