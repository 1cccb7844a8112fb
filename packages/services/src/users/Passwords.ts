import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto"
import { ServiceUnavailableError, ValidationError } from "@switchboard/domain/Errors"
import { addressKey, type EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { Effect, Option, Redacted } from "effect"

/** The parameters of a hash: 32 MiB of memory, and three passes (OWASP Password Storage Cheat Sheet). */
const parameters = { ln: 15, r: 8, p: 3 } as const
const saltLength = 16
const hashLength = 32
/** Node.js refuses parameters that need more memory, in octets. */
const maxMemory = 64 * 1024 * 1024

/** The hashes that a process computes at the same time. Each takes a thread and 32 MiB. */
const maxConcurrent = 2
/** The hashes that wait for their turn. More are refused, since their requests would end before it. */
const maxWaiting = 50

const busy = new ServiceUnavailableError({ message: "Too many log-ins at the same time", retryAfterSeconds: 5 })

/** The PHC string of a hash: its parameters, and salt and hash in base64 without padding. */
const phc = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

interface StoredHash {
  readonly options: ScryptOptions
  readonly salt: Buffer
  readonly hash: Buffer
}

const optionsOf = (ln: number, r: number, p: number): ScryptOptions => ({ N: 2 ** ln, r, p, maxmem: maxMemory })

const parse = (stored: Redacted.Redacted<string>): Option.Option<StoredHash> => {
  const [, ln, r, p, salt, hash] = phc.exec(Redacted.value(stored)) ?? []
  return salt === undefined || hash === undefined
    ? Option.none()
    : Option.some({
        options: optionsOf(Number(ln), Number(r), Number(p)),
        salt: Buffer.from(salt, "base64"),
        hash: Buffer.from(hash, "base64")
      })
}

const encoded = (octets: Buffer) => octets.toString("base64").replace(/=+$/, "")

/** Characters that look the same are typed as different code points on different systems. */
const normalized = (password: Redacted.Redacted<string>) => Redacted.value(password).normalize("NFC")

/** It runs to its end also for a client that has left: the turn is free only when its thread is. */
const derive = (password: Redacted.Redacted<string>, salt: Buffer, length: number, options: ScryptOptions) =>
  Effect.uninterruptible(
    Effect.async<Buffer>((resume) => {
      scrypt(normalized(password), salt, length, options, (error, key) =>
        resume(error === null ? Effect.succeed(key) : Effect.die(error))
      )
    })
  )

/** Refuses a password that is the address of its user. */
export const checkPassword = (
  password: Redacted.Redacted<string>,
  email: EmailAddress,
  field: string
): Effect.Effect<void, ValidationError> =>
  normalized(password).trim().toLowerCase() === addressKey(email)
    ? new ValidationError({
        message: "The request body is invalid",
        fields: { [field]: ["must not be the e-mail address"] }
      })
    : Effect.void

/** Hashes passwords with scrypt (RFC 7914), with few at the same time. */
export class Passwords extends Effect.Service<Passwords>()("services/Passwords", {
  effect: Effect.gen(function* () {
    const turns = yield* Effect.makeSemaphore(maxConcurrent)
    let waiting = 0

    const inTurn = <A>(work: Effect.Effect<A>): Effect.Effect<A, ServiceUnavailableError> =>
      Effect.suspend(() => {
        if (waiting >= maxWaiting + maxConcurrent) return busy
        waiting += 1
        return Effect.ensuring(
          turns.withPermits(1)(work),
          Effect.sync(() => {
            waiting -= 1
          })
        )
      })

    /** The PHC string of a password, with a new salt. */
    const hash = (password: Redacted.Redacted<string>) =>
      inTurn(
        Effect.suspend(() => {
          const { ln, p, r } = parameters
          const salt = randomBytes(saltLength)
          return Effect.map(derive(password, salt, hashLength, optionsOf(ln, r, p)), (key) =>
            Redacted.make(`$scrypt$ln=${ln},r=${r},p=${p}$${encoded(salt)}$${encoded(key)}`)
          )
        })
      )

    /** Whether a password has this hash. Without a hash it takes as long, so that the time reveals no address. */
    const verify = (password: Redacted.Redacted<string>, stored: Option.Option<Redacted.Redacted<string>>) =>
      Option.match(Option.flatMap(stored, parse), {
        onNone: () => Effect.as(hash(password), false),
        onSome: ({ hash: expected, options, salt }) =>
          inTurn(Effect.map(derive(password, salt, expected.length, options), (key) => timingSafeEqual(key, expected)))
      })

    return { hash, verify } as const
  })
}) {}
