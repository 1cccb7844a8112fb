import { randomBytes } from "node:crypto"
import { FileSystem, Path } from "@effect/platform"
import { InstallationRepo } from "@switchboard/services/installation/InstallationRepo"
import { MasterKeyCheck } from "@switchboard/services/installation/MasterKey"
import { MasterKey, PreviousMasterKey, SecretBox, Signatures } from "@switchboard/services/SecretBox"
import { Data, Effect, Layer, Option, Redacted } from "effect"
import { Settings } from "../settings/Settings.js"

/** The master key is not the one of the first start. */
export class WrongMasterKey extends Data.TaggedError("WrongMasterKey")<{ readonly message: string }> {}

const keyBytes = 32

const keyFile = Effect.zipWith(Settings, Path.Path, ({ dataDir }, path) =>
  path.join(path.resolve(dataDir), "master.key")
)

/** The master key: `MASTER_KEY`, else the file in `DATA_DIR`; none before the first start. */
export const masterKey = Effect.gen(function* () {
  const settings = yield* Settings
  if (Option.isSome(settings.masterKey)) return settings.masterKey
  const fs = yield* FileSystem.FileSystem
  const file = yield* keyFile
  if (!(yield* fs.exists(file))) return Option.none()
  const bytes = Buffer.from(yield* fs.readFileString(file), "base64")
  if (bytes.byteLength < keyBytes) {
    return yield* new WrongMasterKey({
      message: `${file} has no key: restore the file of the first start, or set MASTER_KEY to that key`
    })
  }
  return Option.some(Redacted.make<Uint8Array>(bytes))
})

/** Creates the key file atomically: of several processes that start together, one creates it. */
const makeKeyFile = Effect.scoped(
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const file = yield* keyFile
    const directory = path.dirname(file)
    yield* fs.makeDirectory(directory, { recursive: true })
    if (yield* fs.exists(file)) return
    const fresh = path.join(yield* fs.makeTempDirectoryScoped({ directory, prefix: "master-key-" }), "key")
    const key = randomBytes(keyBytes).toString("base64")
    const write = (to: string) => fs.writeFileString(to, key, { flag: "wx", mode: 0o600 })
    yield* write(fresh)
    // Not every file system supports hard links.
    yield* fs.link(fresh, file).pipe(
      Effect.orElse(() => write(file)),
      Effect.ignore
    )
  })
)

/** The master key before the current one: `MASTER_KEY_PREVIOUS`. */
export const PreviousMasterKeyLive = Layer.effect(
  PreviousMasterKey,
  Effect.map(Settings, ({ previousMasterKey }) => previousMasterKey)
)

/** The message and remedy for a key that decrypts nothing. */
export const wrongMasterKey = Effect.zipWith(Settings, keyFile, (settings, file) =>
  Option.isSome(settings.masterKey)
    ? "MASTER_KEY is not the key that this database's secrets are stored under: set MASTER_KEY to the key of its first start"
    : `${file} does not contain the key that this database's secrets are stored under: restore the file of its first start, or set MASTER_KEY to that key`
)

/** Whether a process has started, and stored the fingerprint of its master key. */
export const hasSecrets = Effect.flatMap(InstallationRepo, ({ keyFingerprint }) =>
  Effect.map(keyFingerprint, Option.isSome)
)

/**
 * The master key: `MASTER_KEY`, or a file that the first start creates with mode 0600. A later start creates none: its
 * processes share the file of the first one.
 */
export const MasterKeyLive = Layer.effect(
  MasterKey,
  Effect.gen(function* () {
    const settings = yield* Settings
    if (Option.isNone(settings.masterKey) && !(yield* hasSecrets)) yield* makeKeyFile
    const key = yield* masterKey
    if (Option.isSome(key)) return key.value
    return yield* new WrongMasterKey({ message: yield* wrongMasterKey })
  })
).pipe(Layer.merge(PreviousMasterKeyLive))

/** Checks whether the key is the one of the first start. */
export const MasterKeyCheckLive = MasterKeyCheck.Live.pipe(Layer.provide(Layer.merge(SecretBox.Live, Signatures.Live)))

/** Refuses a key other than that of the first start: DKIM keys could not be decrypted, and mail would never be sent. */
export const MasterKeyClaimed = Layer.effectDiscard(
  Effect.gen(function* () {
    if (yield* Effect.flatMap(MasterKeyCheck, ({ register }) => register)) return
    return yield* new WrongMasterKey({ message: yield* wrongMasterKey })
  })
).pipe(Layer.provide(MasterKeyCheckLive))
