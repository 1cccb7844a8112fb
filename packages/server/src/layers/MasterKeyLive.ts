import { randomBytes } from "node:crypto"
import { FileSystem, Path } from "@effect/platform"
import { MasterKeyCheck } from "@switchboard/services/installation/MasterKeyCheck"
import { SecretBox } from "@switchboard/services/SecretBox"
import { MasterKey, Signatures } from "@switchboard/services/Signatures"
import { Data, Effect, Layer, Option, Redacted } from "effect"
import { Settings } from "../settings/Settings.js"

/** The key is not the one that everything is stored under. */
export class WrongMasterKey extends Data.TaggedError("WrongMasterKey")<{ readonly message: string }> {}

const keyBytes = 32

const keyFile = Effect.zipWith(Settings, Path.Path, ({ dataDir }, path) =>
  path.join(path.resolve(dataDir), "master.key")
)

/** The installation's secret: the setting, or what the first start has made; none before that. */
export const masterKey = Effect.gen(function* () {
  const settings = yield* Settings
  if (Option.isSome(settings.masterKey)) return settings.masterKey
  const fs = yield* FileSystem.FileSystem
  const file = yield* keyFile
  if (!(yield* fs.exists(file))) return Option.none()
  const bytes = Buffer.from(yield* fs.readFileString(file), "base64")
  if (bytes.byteLength < keyBytes) {
    return yield* new WrongMasterKey({
      message: `${file} holds no key: bring back the file of the first start, or set MASTER_KEY to that key`
    })
  }
  return Option.some(Redacted.make<Uint8Array>(bytes))
})

/** Of several processes that start together one makes the file, and it is complete as soon as it exists. */
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
    // Not every file system has links.
    yield* fs.link(fresh, file).pipe(
      Effect.orElse(() => write(file)),
      Effect.ignore
    )
  })
)

/** The installation's secret: the setting, or one that the first start makes and keeps to its owner. */
export const MasterKeyLive = Layer.effect(
  MasterKey,
  Effect.gen(function* () {
    const settings = yield* Settings
    if (Option.isNone(settings.masterKey)) yield* makeKeyFile
    return yield* Effect.flatten(masterKey)
  })
)

/** Says what to do about a key under which nothing opens. */
export const wrongMasterKey = Effect.zipWith(Settings, keyFile, (settings, file) =>
  Option.isSome(settings.masterKey)
    ? "MASTER_KEY is not the key that this database's secrets are stored under: set the one of its first start"
    : `${file} is not the key that this database's secrets are stored under: bring back the file of its first start, or set MASTER_KEY to that key`
)

/** Whether the key is the one of the first start. */
export const MasterKeyCheckLive = MasterKeyCheck.Live.pipe(Layer.provide(Layer.merge(SecretBox.Live, Signatures.Live)))

/** Refuses another key than that of the first start: mail would wait for ever for a signature that can't be made. */
export const MasterKeyClaimed = Layer.effectDiscard(
  Effect.gen(function* () {
    if (yield* Effect.flatMap(MasterKeyCheck, ({ claim }) => claim)) return
    return yield* new WrongMasterKey({ message: yield* wrongMasterKey })
  })
).pipe(Layer.provide(MasterKeyCheckLive))
