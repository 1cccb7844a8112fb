import { readdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import { MasterKeyLive } from "@switchboard/server/layers/MasterKeyLive"
import { Settings } from "@switchboard/server/settings/Settings"
import { InstallationRepo } from "@switchboard/services/installation/InstallationRepo"
import { MasterKey } from "@switchboard/services/SecretBox"
import { ConfigProvider, Effect, Either, Layer, Option, Redacted } from "effect"
import { temporaryFolder } from "./LiveService.js"

const installation = (fingerprint: Option.Option<string>) =>
  Layer.mock(InstallationRepo, { keyFingerprint: Effect.succeed(fingerprint) })

/** The master key of a process with this DATA_DIR, in base64. */
const keyIn = (dataDir: string, repo = installation(Option.none())) =>
  Effect.map(MasterKey, (key) => Buffer.from(Redacted.value(key)).toString("base64")).pipe(
    Effect.provide(
      MasterKeyLive.pipe(Layer.provide(Layer.merge(Settings.Live, repo)), Layer.provide(NodeContext.layer))
    ),
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map([["DATA_DIR", dataDir]])))
  )

describe("The master key without MASTER_KEY", () => {
  it.scopedLive("is created once by several processes, readable only by its owner", () =>
    Effect.gen(function* () {
      const dataDir = join(yield* temporaryFolder, "data")
      const keys = yield* Effect.replicateEffect(keyIn(dataDir), 16, { concurrency: "unbounded" })
      assert.strictEqual(new Set(keys).size, 1)
      assert.strictEqual(Buffer.from(keys[0] ?? "", "base64").byteLength, 32)
      assert.deepStrictEqual(readdirSync(dataDir), ["master.key"])
      assert.strictEqual(statSync(join(dataDir, "master.key")).mode & 0o777, 0o600)
      assert.strictEqual(yield* keyIn(dataDir), keys[0])
    })
  )

  it.scopedLive("is not created again if it was lost", () =>
    Effect.gen(function* () {
      const dataDir = yield* temporaryFolder
      const refused = yield* Effect.flip(keyIn(dataDir, installation(Option.some("fingerprint"))))
      assert.match(refused.message, /master\.key does not contain the key .*: restore/)
      assert.deepStrictEqual(readdirSync(dataDir), [])
    })
  )

  it.scopedLive("fails with a file that has no key", () =>
    Effect.gen(function* () {
      const dataDir = yield* temporaryFolder
      writeFileSync(join(dataDir, "master.key"), "")
      const refused = yield* Effect.either(keyIn(dataDir))
      assert.match(Either.isLeft(refused) ? refused.left.message : "it was taken", /master\.key has no key: restore/)
    })
  )
})
