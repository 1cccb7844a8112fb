import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it, layer } from "@effect/vitest"
import { ObjectsS3 } from "@switchboard/channels/objects/ObjectsS3"
import { S3Bucket } from "@switchboard/channels/objects/S3Requests"
import { ObjectKey } from "@switchboard/domain/objects/ObjectKey"
import { ObjectStore } from "@switchboard/services/objects/ObjectStore"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Context, Effect, Layer, Option } from "effect"
import { caller, LiveService } from "../../LiveService.js"
import { withBucket } from "../../objects/WithBucket.js"
import { failing, launch, run } from "../../ServiceProcess.js"

const path = "/v1/voice/knowledge-bases"

type Call = ReturnType<typeof caller>

/** Requests an upload of a document to a new knowledge base. */
const requestUpload = Effect.fnUntraced(function* (call: Call, contentType: string, contentLength: number) {
  const { body: made } = yield* call("POST", path, { name: "Shop" })
  const { body: target, status } = yield* call("POST", `${path}/${made.id}/upload-url`, {
    ...{ filename: "hours.txt", contentType, contentLength }
  })
  assert.strictEqual(status, 201, JSON.stringify(target))
  const statusOf = Effect.map(call("GET", `${path}/${made.id}/documents`), ({ body }) => body.items[0].status)
  const count = Effect.map(call("GET", `${path}/${made.id}`), ({ body }) => body.documentCount)
  const remove = Effect.map(call("DELETE", `${path}/${made.id}`), ({ status: removed }) => removed)
  const { storageKey, uploadUrl }: { readonly storageKey: string; readonly uploadUrl: string } = target
  return { storageKey, uploadUrl, status: statusOf, count, remove }
})

const put = (url: string, body: Uint8Array, type: string) =>
  Effect.map(
    Effect.promise(() => fetch(url, { method: "PUT", body, headers: { "content-type": type } })),
    ({ status }) => status
  )

layer(LiveService.layer(), { excludeTestServices: true, timeout: "60 seconds" })("A knowledge base", (it) => {
  it.effect("streams the largest document to disk, and deletes it", () =>
    Effect.gen(function* () {
      const { baseUrl, call, environment } = yield* LiveService
      const largest = 52_428_800
      const { count, remove, status, storageKey, uploadUrl } = yield* requestUpload(call, "text/plain", largest)
      const url = baseUrl + new URL(uploadUrl).pathname
      const bytes = Buffer.alloc(largest, "Switchboard ")
      assert.strictEqual(yield* put(url, bytes.subarray(1), "text/plain"), 422)
      assert.strictEqual(yield* put(url, Buffer.concat([bytes, Buffer.from("!")]), "text/plain"), 422)
      assert.strictEqual(yield* put(url, bytes, "text/html"), 422)
      const file = join(environment.DATA_DIR ?? "", "objects", storageKey)
      assert.isFalse(existsSync(file))
      assert.strictEqual(yield* status, "pending_upload")
      assert.strictEqual(yield* put(url, bytes, "text/plain"), 200)
      assert.isTrue(readFileSync(file).equals(bytes))
      assert.deepStrictEqual([yield* status, yield* count], ["ready", 1])
      assert.strictEqual(yield* put(url, bytes, "text/plain"), 409)
      assert.strictEqual(yield* remove, 200)
      assert.isFalse(existsSync(file))
      assert.strictEqual(yield* put(url, bytes, "text/plain"), 404)
    })
  )
})

describe("An S3 bucket", () => {
  it.scopedLive(
    "receives documents directly, for every process of the installation",
    () =>
      Effect.gen(function* () {
        const { bucket, environment } = yield* withBucket
        const store = Context.get(yield* Effect.provideService(Layer.build(ObjectsS3), S3Bucket, bucket), ObjectStore)
        const { baseUrl } = yield* launch("serve", environment)
        const hello = Buffer.from("hello")
        const { count, remove, status, storageKey, uploadUrl } = yield* requestUpload(caller(baseUrl), "text/plain", 5)
        assert.isTrue(uploadUrl.startsWith(`${bucket.endpoint}/objects/`), uploadUrl)
        assert.strictEqual(yield* put(uploadUrl, Buffer.from("hello!"), "text/plain"), 403)
        assert.strictEqual(yield* put(uploadUrl, hello, "text/html"), 403)
        assert.deepStrictEqual([yield* status, yield* count], ["pending_upload", 0])
        assert.strictEqual(yield* put(uploadUrl, hello, "text/plain"), 200)
        assert.deepStrictEqual([yield* status, yield* count], ["ready", 1])
        // The upload link still works, but has no effect.
        assert.strictEqual(yield* put(uploadUrl, Buffer.from("other"), "text/plain"), 200)
        const kept = store.get(ObjectKey.make(storageKey))
        assert.strictEqual(Buffer.from(yield* Effect.flatten(kept)).toString(), "hello")
        assert.strictEqual(yield* remove, 200)
        assert.isTrue(Option.isNone(yield* kept))
      }).pipe(Effect.provide(TestDatabaseUrl.Live)),
    300_000
  )

  it.scopedLive(
    "is checked by the doctor",
    () =>
      Effect.gen(function* () {
        const { environment } = yield* withBucket
        const keyed = { ...environment, MASTER_KEY: Buffer.alloc(32, 7).toString("base64") }
        const { S3_BUCKET: _, ...half } = keyed
        const [{ stdout }, wrong, missing] = yield* Effect.all(
          [
            run(["doctor"], keyed),
            failing(["doctor"], { ...keyed, S3_SECRET_ACCESS_KEY: "other" }),
            failing(["doctor"], half)
          ],
          { concurrency: "unbounded" }
        )
        assert.include(stdout, "ok       S3 bucket\n")
        assert.include(wrong, 'run "switchboard doctor" again')
        assert.strictEqual(missing, "switchboard: S3_BUCKET: must be set if another S3_ setting is set\n")
      }).pipe(Effect.provide(TestDatabaseUrl.Live)),
    300_000
  )
})
