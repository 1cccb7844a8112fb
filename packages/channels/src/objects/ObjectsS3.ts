import { Readable } from "node:stream"
import type { ObjectKey } from "@switchboard/domain/objects/ObjectKey"
import { DirectUploads, type UploadsToStore } from "@switchboard/services/objects/DirectUploads"
import { type ObjectHead, type ObjectReading, ObjectStore } from "@switchboard/services/objects/ObjectStore"
import { objectStoreFailed } from "@switchboard/services/objects/ObjectStoreFailed"
import { Context, Deferred, Effect, Either, Layer, Option, Stream } from "effect"
import { type S3Requests, type S3Response, s3Requests } from "./S3Requests.js"

const removeConcurrency = 8

const headersOf = ({ contentLength, contentType }: ObjectHead) => ({
  "content-length": String(contentLength),
  "content-type": contentType
})

const logInterrupted = (cause: unknown) =>
  Effect.zipRight(
    Effect.logError("Reading an object from the object store (S3) was interrupted", cause),
    objectStoreFailed
  )

/** None if the object does not exist. */
const orMissing = (response: S3Response) => (response.statusCode === 404 ? Option.none() : Option.some(response))

const headOf = ({ headers }: S3Response): ObjectHead => ({
  contentLength: Number(headers["content-length"] ?? 0),
  contentType: String(headers["content-type"] ?? "")
})

const makeStore = (s3: S3Requests, head: UploadsToStore["head"]) =>
  ObjectStore.of({
    put: (key, bytes, contentType) =>
      Effect.asVoid(
        s3.execute(
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
        const outcome = yield* Effect.either(s3.execute({ method: "PUT", key, body, headers: headersOf(about) }, [200]))
        if (Either.isRight(outcome)) return
        // A failure of the caller's stream takes precedence over the failed upload that it causes.
        const streamFailure = yield* Deferred.poll(broken)
        return yield* Option.isSome(streamFailure) ? streamFailure.value : outcome.left
      }),
    get: (key) =>
      Effect.flatMap(s3.send({ method: "GET", key }, [200, 404]), (response) =>
        Effect.map(
          Effect.catchAll(
            Effect.tryPromise(() => response.body.arrayBuffer()),
            ({ error }) => logInterrupted(error)
          ),
          (bytes) => Option.as(orMissing(response), new Uint8Array(bytes))
        )
      ),
    read: (key) =>
      Effect.map(
        head(key),
        Option.map(
          ({ contentLength }): ObjectReading => ({
            contentLength,
            bytes: Stream.unwrap(
              Effect.map(s3.send({ method: "GET", key }, [200]), ({ body }) =>
                Stream.catchAll(
                  Stream.fromAsyncIterable<Uint8Array, unknown>(body, (cause) => cause),
                  logInterrupted
                )
              )
            )
          })
        )
      ),
    remove: (keys) =>
      Effect.forEach(keys, (key) => s3.execute({ method: "DELETE", key }, [200, 204, 404]), {
        concurrency: removeConcurrency,
        discard: true
      })
  })

const makeUploads = (s3: S3Requests): UploadsToStore => ({
  presign: (key, head, lifetime) => s3.presignPut(key, headersOf(head), lifetime),
  head: (key) =>
    Effect.map(s3.execute({ method: "HEAD", key }, [200, 404]), (response) => Option.map(orMissing(response), headOf)),
  copy: (from, to) =>
    Effect.asVoid(s3.execute({ method: "PUT", key: to, headers: { "x-amz-copy-source": s3.pathOf(from) } }, [200]))
})

/** Stores objects in an S3 bucket, with presigned uploads. The operator's endpoint is exempt from the network policy. */
export const ObjectsS3 = Layer.scopedContext(
  Effect.map(s3Requests, (s3) => {
    const uploads = makeUploads(s3)
    return Context.make(ObjectStore, makeStore(s3, uploads.head)).pipe(Context.add(DirectUploads, Option.some(uploads)))
  })
)
