import { Command } from "@effect/cli"
import { InstallationRepo } from "@switchboard/services/installation/InstallationRepo"
import { MasterKeyCheck, rotateMasterKey } from "@switchboard/services/installation/MasterKey"
import { MasterKey, PreviousMasterKey, SecretBox, Signatures } from "@switchboard/services/SecretBox"
import { Console, Effect, Layer, Option, Redacted } from "effect"
import { MasterKeyCheckLive, masterKey, PreviousMasterKeyLive, wrongMasterKey } from "../layers/MasterKeyLive.js"
import { Storage } from "../layers/Storage.js"
import { CommandFailed, withoutWait, withSettings } from "../run/Run.js"

const failure = (message: string) => new CommandFailed({ message })

/** Requires both keys. */
const bothKeys = Effect.gen(function* () {
  const current = yield* masterKey
  const previous = yield* PreviousMasterKey
  if (Option.isNone(current) || Option.isNone(previous)) {
    return yield* failure("Set MASTER_KEY to the new key, and MASTER_KEY_PREVIOUS to the key before it")
  }
  const [one, other] = [current.value, previous.value].map((key) => Buffer.from(Redacted.value(key)))
  if (one !== undefined && other !== undefined && one.equals(other)) {
    return yield* failure("MASTER_KEY_PREVIOUS is MASTER_KEY: set MASTER_KEY to a new key (openssl rand -base64 32)")
  }
  return current.value
})

const rotate = Effect.gen(function* () {
  const { keyFingerprint } = yield* InstallationRepo
  if (Option.isNone(yield* keyFingerprint)) {
    return yield* failure("There is nothing to rotate: the service was never started")
  }
  const { matches } = yield* MasterKeyCheck
  if (!(yield* matches)) return yield* failure(yield* wrongMasterKey)
  const count = yield* rotateMasterKey
  yield* Console.log(`Encrypted ${count} secrets under MASTER_KEY; no secret is left under another key`)
})

const Keys = Layer.mergeAll(SecretBox.Live, Signatures.Live, MasterKeyCheckLive).pipe(
  Layer.provideMerge(Layer.merge(Storage, Layer.effect(MasterKey, bothKeys)))
)

export const masterKeyCommand = Command.make("master-key").pipe(
  Command.withDescription("The key that secrets are encrypted under"),
  Command.withSubcommands([
    Command.make("rotate", {}, () =>
      withSettings(withoutWait(rotate.pipe(Effect.provide(Keys), Effect.provide(PreviousMasterKeyLive))))
    ).pipe(
      Command.withDescription(
        "Encrypts all secrets again under MASTER_KEY, after all processes were restarted with MASTER_KEY and MASTER_KEY_PREVIOUS"
      )
    )
  ])
)
