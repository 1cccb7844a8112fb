import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Context, Effect, Layer, Option } from "effect"
import { SecretBox } from "../SecretBox.js"
import { Signatures } from "../Signatures.js"
import { InstallationRepo } from "./InstallationRepo.js"

/** Whether the master key is the one that the installation was begun with: under another, nothing opens that is sealed. */
export class MasterKeyCheck extends Context.Tag("services/MasterKeyCheck")<
  MasterKeyCheck,
  {
    /** Looks, and changes nothing. */
    readonly fits: Effect.Effect<boolean, ServiceUnavailableError>
    /** The same for a start: the key of the first one is remembered from then on. */
    readonly claim: Effect.Effect<boolean, ServiceUnavailableError>
  }
>() {
  static readonly Live = Layer.effect(
    MasterKeyCheck,
    Effect.gen(function* () {
      const repo = yield* InstallationRepo
      const box = yield* SecretBox
      const mark = (yield* Signatures).sign("master-key", "mark")

      // An installation of before remembers nothing, but its secrets name their key.
      const opensSome = Effect.map(
        repo.someSecrets,
        (secrets) => secrets.length === 0 || secrets.some((sealed) => box.isOurs(sealed))
      )

      const fits = Effect.flatMap(
        repo.keyMark,
        Option.match({ onNone: () => opensSome, onSome: (kept) => Effect.succeed(kept === mark) })
      )

      const claim = Effect.flatMap(fits, (well) =>
        well ? Effect.map(repo.keepKeyMark(mark), (kept) => kept === mark) : Effect.succeed(false)
      )

      return { fits, claim }
    })
  )
}
