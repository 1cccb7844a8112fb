import { assert, describe, it } from "@effect/vitest"
import { ObjectsS3 } from "@switchboard/channels/objects/ObjectsS3"
import { S3Bucket } from "@switchboard/channels/objects/S3Requests"
import { DirectUploads } from "@switchboard/services/objects/DirectUploads"
import { ObjectStore } from "@switchboard/services/objects/ObjectStore"
import { Context, Duration, Effect, Layer, Option, Redacted, Stream, TestClock } from "effect"
import { newKey, objectStoreContract } from "./ObjectStoreContract.js"
import { s3Server } from "./S3Server.js"

const stores = Effect.gen(function* () {
  const { bucket, override } = yield* s3Server
  const context = yield* Effect.provideService(Layer.build(ObjectsS3), S3Bucket, bucket)
  const direct = yield* Context.get(context, DirectUploads)
  return { bucket, override, store: Context.get(context, ObjectStore), direct }
})

objectStoreContract(
  "S3",
  Effect.map(stores, ({ store }) => store)
)

const upload = (url: string, body: string, type: string) =>
  Effect.promise(() => fetch(url, { method: "PUT", body, headers: { "content-type": type } }))

const statusOf = (url: string, body: string, type: string) =>
  Effect.map(upload(url, body, type), ({ status }) => status)

const about = { contentType: "text/plain", contentLength: 5 }

describe("A presigned upload to S3", () => {
  it.scopedLive("accepts only the signed length and type", () =>
    Effect.gen(function* () {
      const { direct, store } = yield* stores
      const key = newKey()
      const url = yield* direct.presign(key, about, Duration.minutes(15))
      assert.strictEqual(new URL(url).searchParams.get("X-Amz-Expires"), "900")
      assert.strictEqual(yield* statusOf(url, "longer", "text/plain"), 403)
      assert.strictEqual(yield* statusOf(url, "less", "text/plain"), 403)
      assert.strictEqual(yield* statusOf(url, "hello", "text/html"), 403)
      assert.strictEqual(yield* statusOf(url.replace(key, newKey()), "hello", "text/plain"), 403)
      assert.isTrue(Option.isNone(yield* direct.head(key)))
      assert.strictEqual(yield* statusOf(url, "hello", "text/plain"), 200)
      assert.deepStrictEqual(yield* Effect.flatten(direct.head(key)), about)
      assert.strictEqual(Buffer.from(yield* Effect.flatten(store.get(key))).toString(), "hello")
    })
  )

  it.scoped("is refused after the URL has expired", () =>
    Effect.gen(function* () {
      const { direct } = yield* stores
      yield* TestClock.setTime(Date.now() - 901_000)
      const url = yield* direct.presign(newKey(), about, Duration.minutes(15))
      assert.strictEqual(yield* statusOf(url, "hello", "text/plain"), 403)
    })
  )

  it.scopedLive("does not change an existing copy of the object", () =>
    Effect.gen(function* () {
      const { direct, store } = yield* stores
      const [from, to] = [newKey(), newKey()]
      const url = yield* direct.presign(from, about, Duration.minutes(15))
      yield* upload(url, "first", "text/plain")
      yield* direct.copy(from, to)
      assert.strictEqual(yield* statusOf(url, "other", "text/plain"), 200)
      assert.strictEqual(Buffer.from(yield* Effect.flatten(store.get(to))).toString(), "first")
      assert.deepStrictEqual(yield* Effect.flatten(direct.head(to)), about)
    })
  )
})

describe("ObjectsS3 with a failing S3", () => {
  it.scopedLive("fails with ExternalServiceError, without the text of the response", () =>
    Effect.gen(function* () {
      const { direct, override, store } = yield* stores
      const key = newKey()
      for (const answer of [
        { status: 500, text: "<Error><Code>InternalError</Code><Message>a secret</Message></Error>" },
        { status: 403, text: "" }
      ]) {
        override.respond = (response) => response.writeHead(answer.status).end(answer.text)
        const one = Stream.make(Buffer.from("hello"))
        const failures = yield* Effect.forEach(
          [
            store.put(key, Buffer.from("hello"), "text/plain"),
            store.putStream(key, one, about),
            store.get(key),
            store.read(key),
            store.remove([key]),
            direct.head(key),
            direct.copy(key, newKey())
          ],
          Effect.flip
        )
        for (const failure of failures) {
          assert.deepInclude(failure, { _tag: "ExternalServiceError", provider: "object store" })
          assert.notInclude(failure.message, "secret")
        }
      }
      // A copy may fail after status 200.
      override.respond = (response) => response.end("<Error><Code>InternalError</Code><Message>x</Message></Error>")
      assert.strictEqual((yield* Effect.flip(direct.copy(key, newKey())))._tag, "ExternalServiceError")
      override.respond = (response) => void response.destroy()
      assert.strictEqual((yield* Effect.flip(store.get(key)))._tag, "ExternalServiceError")
    })
  )

  it.scopedLive("fails with ExternalServiceError for a wrong key or a closed port", () =>
    Effect.gen(function* () {
      const { bucket } = yield* stores
      for (const wrong of [
        { ...bucket, secretAccessKey: Redacted.make("other") },
        { ...bucket, accessKeyId: "other" },
        { ...bucket, endpoint: "http://127.0.0.1:1" }
      ]) {
        const store = Context.get(yield* Effect.provideService(Layer.build(ObjectsS3), S3Bucket, wrong), ObjectStore)
        const failure = yield* Effect.flip(store.put(newKey(), Buffer.from("hello"), "text/plain"))
        assert.strictEqual(failure._tag, "ExternalServiceError")
      }
    })
  )
})
