import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Context, Effect, Layer, Option } from "effect"
import { SecretBox } from "../SecretBox.js"
import { Signatures } from "../Signatures.js"
import { InstallationRepo } from "./InstallationRepo.js"

/** The fingerprint of the master key. */
export const keyFingerprint = Effect.map(Signatures, ({ sign }) => sign("master-key", "mark"))

/** Checks that the master key is the one that the installation's secrets are encrypted under. */
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
      const fingerprint = yield* keyFingerprint

      // An installation older than the fingerprint is checked by the key id in its secrets.
      const matchesSecrets = Effect.map(
        repo.sampleSecrets,
        (secrets) => secrets.length === 0 || secrets.some((sealed) => box.isOurs(sealed))
      )

      const matches = Effect.flatMap(
        repo.keyFingerprint,
        Option.match({ onNone: () => matchesSecrets, onSome: (stored) => Effect.succeed(stored === fingerprint) })
      )

      const register = Effect.flatMap(matches, (isMatching) =>
        isMatching
          ? Effect.map(repo.storeKeyFingerprint(fingerprint), (stored) => stored === fingerprint)
          : Effect.succeed(false)
      )

      return { matches, register }
    })
  )
}
