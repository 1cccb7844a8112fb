import { createHash } from "node:crypto"
import type { Readable } from "node:stream"
import type { ExternalServiceError } from "@switchboard/domain/Errors"
import type { ObjectKey } from "@switchboard/domain/objects/ObjectKey"
import { objectStoreFailed } from "@switchboard/services/objects/ObjectStoreFailed"
import { AwsV4Signer } from "aws4fetch"
import { Context, Data, DateTime, Duration, Effect, Redacted, type Scope } from "effect"
import { Agent, type Dispatcher, request } from "undici"

/** A bucket of S3, or of something that speaks like it. */
export class S3Bucket extends Context.Tag("channels/S3Bucket")<
  S3Bucket,
  {
    /** Null for Amazon S3. At another endpoint the bucket is the first part of the path. */
    readonly endpoint: string | null
    readonly bucket: string
    readonly region: string
    readonly accessKeyId: string
    readonly secretAccessKey: Redacted.Redacted<string>
  }
>() {}

/** What is asked of an object. */
export interface S3Request {
  readonly method: "PUT" | "GET" | "HEAD" | "DELETE"
  readonly key: ObjectKey
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array | Readable
}

export type S3Reply = Dispatcher.ResponseData

/** S3 does not answer, or not as it should. */
class S3Failed extends Data.TaggedError("S3Failed")<{ readonly message: string; readonly cause?: unknown }> {}

const patience = { connectTimeout: 5_000, headersTimeout: 30_000, bodyTimeout: 30_000 }

const isBytes = (body: S3Request["body"]): body is Uint8Array => body instanceof Uint8Array

/** Nobody needs to trust the way of what has a digest. */
const digestOf = (body: S3Request["body"]) =>
  isBytes(body) ? createHash("sha256").update(body).digest("hex") : "UNSIGNED-PAYLOAD"

const logged = (failure: S3Failed) =>
  Effect.zipRight(Effect.logError("The object store (S3) fails", failure), objectStoreFailed)

/** The code and message of S3's own errors. */
const said = (text: string) => /<Code>.*?<\/Message>/s.exec(text)?.[0].replace(/<[^>]+>/g, " ") ?? ""

/** Asks a bucket for its objects, and signs for others who do. */
export interface S3Requests {
  /** The answer, if its status is one of these; its body is to be read. */
  readonly ask: (request: S3Request, statuses: ReadonlyArray<number>) => Effect.Effect<S3Reply, ExternalServiceError>
  /** As `ask`, for answers whose body says nothing but what went wrong. */
  readonly done: (request: S3Request, statuses: ReadonlyArray<number>) => Effect.Effect<S3Reply, ExternalServiceError>
  /** A URL by which anyone may put an object with exactly these headers. */
  readonly presignPut: (
    key: ObjectKey,
    headers: Readonly<Record<string, string>>,
    lasts: Duration.Duration
  ) => Effect.Effect<string>
  /** How other requests name an object. */
  readonly pathOf: (key: ObjectKey) => string
}

const signerNow = Effect.map(DateTime.now, (now) => DateTime.formatIso(now).replace(/[:-]|\.\d{3}/g, ""))

export const s3Requests: Effect.Effect<S3Requests, never, S3Bucket | Scope.Scope> = Effect.gen(function* () {
  const { accessKeyId, bucket, endpoint, region, secretAccessKey } = yield* S3Bucket
  const base =
    endpoint === null ? `https://${bucket}.s3.${region}.amazonaws.com/` : `${endpoint.replace(/\/+$/, "")}/${bucket}/`
  const dispatcher = yield* Effect.acquireRelease(
    Effect.sync(() => new Agent({ ...patience, connect: { timeout: patience.connectTimeout } })),
    (agent) => Effect.promise(() => agent.destroy())
  )
  const identity = { service: "s3", region, accessKeyId }

  const signed = (options: Partial<ConstructorParameters<typeof AwsV4Signer>[0]>, url: string) =>
    Effect.flatMap(signerNow, (datetime) =>
      Effect.promise(() =>
        new AwsV4Signer({
          ...identity,
          ...options,
          url,
          datetime,
          secretAccessKey: Redacted.value(secretAccessKey)
        }).sign()
      )
    )

  const exchange = Effect.fnUntraced(function* ({ body, headers = {}, key, method }: S3Request) {
    const { headers: given, url } = yield* signed(
      { method, headers: { ...headers, "x-amz-content-sha256": digestOf(body) } },
      base + key
    )
    return yield* Effect.tryPromise({
      try: (signal) =>
        request(url, { method, headers: Object.fromEntries(given), body: body ?? null, dispatcher, signal }),
      catch: (cause) => new S3Failed({ message: `${method} of an object gets no answer`, cause })
    })
  })

  const textOf = (reply: S3Reply) =>
    Effect.tryPromise({
      try: () => reply.body.text(),
      catch: (cause) => new S3Failed({ message: "An answer breaks off", cause })
    })

  const checked = Effect.fnUntraced(function* (asked: S3Request, statuses: ReadonlyArray<number>) {
    const reply = yield* exchange(asked)
    if (statuses.includes(reply.statusCode)) return reply
    const why = said(yield* textOf(reply))
    return yield* new S3Failed({ message: `${asked.method} of an object is answered ${reply.statusCode} ${why}` })
  })

  return {
    ask: (asked, statuses) => Effect.catchAll(checked(asked, statuses), logged),
    done: (asked, statuses) =>
      checked(asked, statuses).pipe(
        Effect.tap((reply) =>
          // To copy an object may fail after the answer has begun well.
          Effect.flatMap(textOf(reply), (text) =>
            text.includes("<Error>") ? new S3Failed({ message: said(text) }) : Effect.void
          )
        ),
        Effect.catchAll(logged)
      ),
    presignPut: (key, headers, lasts) => {
      const url = `${base}${key}?X-Amz-Expires=${Math.floor(Duration.toSeconds(lasts))}`
      const asked = { method: "PUT", headers: { ...headers }, signQuery: true, allHeaders: true }
      return Effect.map(signed(asked, url), ({ url: link }) => link.href)
    },
    pathOf: (key) => `/${bucket}/${key}`
  }
})
