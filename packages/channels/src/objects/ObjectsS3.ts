import { Readable } from "node:stream"
import type { ObjectKey } from "@switchboard/domain/objects/ObjectKey"
import { DirectUploads, type UploadsToStore } from "@switchboard/services/objects/DirectUploads"
import { type ObjectHead, type ObjectReading, ObjectStore } from "@switchboard/services/objects/ObjectStore"
import { objectStoreFailed } from "@switchboard/services/objects/ObjectStoreFailed"
import { Context, Deferred, Effect, Either, Layer, Option, Stream } from "effect"
import { type S3Reply, type S3Requests, s3Requests } from "./S3Requests.js"

/** Objects removed at a time. */
const removals = 8

const headersOf = ({ contentLength, contentType }: ObjectHead) => ({
  "content-length": String(contentLength),
  "content-type": contentType
})

const brokeOff = (cause: unknown) =>
  Effect.zipRight(Effect.logError("An object of the object store (S3) breaks off", cause), objectStoreFailed)

/** None of an object that there is not. */
const orMissing = (reply: S3Reply) => (reply.statusCode === 404 ? Option.none() : Option.some(reply))

const headOf = ({ headers }: S3Reply): ObjectHead => ({
  contentLength: Number(headers["content-length"] ?? 0),
  contentType: String(headers["content-type"] ?? "")
})

const makeStore = (s3: S3Requests, head: UploadsToStore["head"]) =>
  ObjectStore.of({
    put: (key, bytes, contentType) =>
      Effect.asVoid(
        s3.done(
          { method: "PUT", key, body: bytes, headers: headersOf({ contentType, contentLength: bytes.byteLength }) },
          [200]
        )
      ),
    putStream: <E>(key: ObjectKey, bytes: Stream.Stream<Uint8Array, E>, about: ObjectHead) =>
      Effect.gen(function* () {
        const broken = yield* Deferred.make<never, E>()
        const body = Readable.from(
          Stream.toAsyncIterable(Stream.tapErrorCause(bytes, (cause) => Deferred.failCause(broken, cause)))
        )
        const outcome = yield* Effect.either(s3.done({ method: "PUT", key, body, headers: headersOf(about) }, [200]))
        if (Either.isRight(outcome)) return
        // Whose fault it was that the upload broke off.
        const theirs = yield* Deferred.poll(broken)
        return yield* Option.isSome(theirs) ? theirs.value : outcome.left
      }),
    get: (key) =>
      Effect.flatMap(s3.ask({ method: "GET", key }, [200, 404]), (reply) =>
        Effect.map(
          Effect.catchAll(
            Effect.tryPromise(() => reply.body.arrayBuffer()),
            ({ error }) => brokeOff(error)
          ),
          (bytes) => Option.as(orMissing(reply), new Uint8Array(bytes))
        )
      ),
    read: (key) =>
      Effect.map(
        head(key),
        Option.map(
          ({ contentLength }): ObjectReading => ({
            contentLength,
            bytes: Stream.unwrap(
              Effect.map(s3.ask({ method: "GET", key }, [200]), ({ body }) =>
                Stream.catchAll(
                  Stream.fromAsyncIterable<Uint8Array, unknown>(body, (cause) => cause),
                  brokeOff
                )
              )
            )
          })
        )
      ),
    remove: (keys) =>
      Effect.forEach(keys, (key) => s3.done({ method: "DELETE", key }, [200, 204, 404]), {
        concurrency: removals,
        discard: true
      })
  })

const makeUploads = (s3: S3Requests): UploadsToStore => ({
  presign: (key, head, lasts) => s3.presignPut(key, headersOf(head), lasts),
  head: (key) =>
    Effect.map(s3.done({ method: "HEAD", key }, [200, 404]), (reply) => Option.map(orMissing(reply), headOf)),
  copy: (from, to) =>
    Effect.asVoid(s3.done({ method: "PUT", key: to, headers: { "x-amz-copy-source": s3.pathOf(from) } }, [200]))
})

/** Objects in a bucket of S3, to which callers may upload themselves. The operator's own: it may be anywhere. */
export const ObjectsS3 = Layer.scopedContext(
  Effect.map(s3Requests, (s3) => {
    const uploads = makeUploads(s3)
    return Context.make(ObjectStore, makeStore(s3, uploads.head)).pipe(Context.add(DirectUploads, Option.some(uploads)))
  })
)
