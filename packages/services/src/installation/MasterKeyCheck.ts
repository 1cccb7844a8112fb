import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Context, Effect, Layer, Option } from "effect"
import { SecretBox, Signatures } from "../SecretBox.js"
import { InstallationRepo } from "./InstallationRepo.js"

const purpose = "master-key"
const text = "mark"

/** The fingerprint of the master key. */
export const keyFingerprint = Effect.map(Signatures, ({ sign }) => sign(purpose, text))

/** Checks that the master key, or the previous one, is the one that the installation's secrets are encrypted under. */
export class MasterKeyCheck extends Context.Tag("services/MasterKeyCheck")<
  MasterKeyCheck,
  {
    /** Checks the key without storing anything. */
    readonly matches: Effect.Effect<boolean, ServiceUnavailableError>
    /** Checks the key at a start. The first start stores its fingerprint. */
    readonly register: Effect.Effect<boolean, ServiceUnavailableError>
  }
>() {
  static readonly Live = Layer.effect(
    MasterKeyCheck,
    Effect.gen(function* () {
      const repo = yield* InstallationRepo
      const box = yield* SecretBox
      const { verify } = yield* Signatures
      const fingerprint = yield* keyFingerprint
      const isKnown = (stored: string) => verify(purpose, text, stored)

      // An installation older than the fingerprint is checked by the key id in its secrets.
      const matchesSecrets = Effect.map(
        repo.sampleSecrets,
        (secrets) => secrets.length === 0 || secrets.some((sealed) => box.isOurs(sealed))
      )

      const matches = Effect.flatMap(
        repo.keyFingerprint,
        Option.match({ onNone: () => matchesSecrets, onSome: (stored) => Effect.succeed(isKnown(stored)) })
      )

      const register = Effect.flatMap(matches, (isMatching) =>
        isMatching ? Effect.map(repo.storeKeyFingerprint(fingerprint), isKnown) : Effect.succeed(false)
      )

      return { matches, register }
    })
  )
}
