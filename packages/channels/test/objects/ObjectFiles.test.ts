import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { ObjectFiles, ObjectsFolder } from "@switchboard/channels/objects/ObjectFiles"
import { ObjectStore } from "@switchboard/services/objects/ObjectStore"
import { Effect, TestClock } from "effect"
import { failingStream, newKey, objectStoreContract } from "./ObjectStoreContract.js"

const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "switchboard-objects-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

const storeIn = (folder: string) =>
  Effect.provide(ObjectStore, ObjectFiles).pipe(
    Effect.provideService(ObjectsFolder, folder),
    Effect.provide(NodeContext.layer)
  )

objectStoreContract("files", Effect.flatMap(temporaryFolder, storeIn))

describe("ObjectFiles", () => {
  it.scoped("restricts files and folders to the owner, and shares objects between processes", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      chmodSync(folder, 0o755)
      const [one, other] = yield* Effect.all([storeIn(folder), storeIn(folder)])
      const key = newKey()
      yield* one.put(key, Buffer.from("stored"), "text/plain")
      assert.deepStrictEqual(yield* Effect.flatten(other.get(key)), Buffer.from("stored"))
      assert.strictEqual(statSync(join(folder, key)).mode & 0o777, 0o600)
      const folders = [folder, join(folder, "parts"), dirname(join(folder, key))]
      assert.deepStrictEqual(
        folders.map((path) => statSync(path).mode & 0o777),
        [0o700, 0o700, 0o700]
      )
    })
  )

  // Amazon S3 does so too; the S3 server of the tests stores the incomplete object.
  it.scoped("keeps the previous object if a stream fails", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const store = yield* storeIn(folder)
      const key = newKey()
      yield* store.put(key, Buffer.from("before"), "text/plain")
      yield* Effect.flip(store.putStream(key, failingStream, { contentType: "text/plain", contentLength: 8 }))
      assert.deepStrictEqual(yield* Effect.flatten(store.get(key)), Buffer.from("before"))
      assert.deepStrictEqual(readdirSync(join(folder, "parts")), [])
    })
  )

  it.scoped("fails with ExternalServiceError if the disk fails", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const store = yield* storeIn(folder)
      const key = newKey()
      writeFileSync(join(folder, key.split("/")[0] ?? ""), "a file where a folder should be")
      const failure = yield* Effect.flip(store.put(key, Buffer.from("lost"), "text/plain"))
      assert.strictEqual(failure._tag, "ExternalServiceError")
      assert.strictEqual((yield* Effect.flip(store.get(key)))._tag, "ExternalServiceError")
      assert.deepStrictEqual(readdirSync(join(folder, "parts")), [])
    })
  )

  it.scoped("deletes incomplete files of a crash at the start, and keeps those being written", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* TestClock.setTime(Date.now())
      yield* storeIn(folder)
      const part = (name: string, ageDays: number) => {
        const file = join(folder, "parts", name)
        writeFileSync(file, "half")
        const at = Date.now() / 1000 - ageDays * 86_400
        utimesSync(file, at, at)
      }
      part("left", 2)
      part("written", 0)
      yield* storeIn(folder)
      assert.deepStrictEqual(readdirSync(join(folder, "parts")), ["written"])
    })
  )
})
