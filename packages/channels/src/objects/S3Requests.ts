import { createHash } from "node:crypto"
import type { Readable } from "node:stream"
import type { ExternalServiceError } from "@switchboard/domain/Errors"
import type { ObjectKey } from "@switchboard/domain/objects/ObjectKey"
import { objectStoreFailed } from "@switchboard/services/objects/ObjectStoreFailed"
import { AwsV4Signer } from "aws4fetch"
import { Context, Data, DateTime, Duration, Effect, Redacted, type Scope } from "effect"
import { Agent, type Dispatcher, request } from "undici"

/** A bucket of Amazon S3 or a compatible service. */
export class S3Bucket extends Context.Tag("channels/S3Bucket")<
  S3Bucket,
  {
    /** Null for Amazon S3 with virtual-hosted URLs. Other endpoints get path-style URLs. */
    readonly endpoint: string | null
    readonly bucket: string
    readonly region: string
    readonly accessKeyId: string
    readonly secretAccessKey: Redacted.Redacted<string>
  }
>() {}

/** A request for one object. */
export interface S3Request {
  readonly method: "PUT" | "GET" | "HEAD" | "DELETE"
  readonly key: ObjectKey
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array | Readable
}

export type S3Response = Dispatcher.ResponseData

/** S3 did not respond, or responded with an unexpected status. */
class S3Failed extends Data.TaggedError("S3Failed")<{ readonly message: string; readonly cause?: unknown }> {}

/** In milliseconds. */
const timeouts = { connectTimeout: 5_000, headersTimeout: 30_000, bodyTimeout: 30_000 }

const isBytes = (body: S3Request["body"]): body is Uint8Array => body instanceof Uint8Array

/** The x-amz-content-sha256 of the body, which protects it over http too. A stream has no digest in advance. */
const digestOf = (body: S3Request["body"]) =>
  isBytes(body) ? createHash("sha256").update(body).digest("hex") : "UNSIGNED-PAYLOAD"

const logged = (failure: S3Failed) =>
  Effect.zipRight(Effect.logError("A request to the object store (S3) failed", failure), objectStoreFailed)

/** The code and message of an S3 error response. */
const errorText = (text: string) => /<Code>.*?<\/Message>/s.exec(text)?.[0].replace(/<[^>]+>/g, " ") ?? ""

/** Sends signed requests (SigV4) to a bucket, and presigns uploads. */
export interface S3Requests {
  /** Returns the response if its status is one of these. The caller must consume its body. */
  readonly send: (
    request: S3Request,
    statuses: ReadonlyArray<number>
  ) => Effect.Effect<S3Response, ExternalServiceError>
  /** Like `send`, and consumes the body. A body with an error fails even at status 200. */
  readonly execute: (
    request: S3Request,
    statuses: ReadonlyArray<number>
  ) => Effect.Effect<S3Response, ExternalServiceError>
  /** A URL with which anyone can upload an object with exactly these headers. */
  readonly presignPut: (
    key: ObjectKey,
    headers: Readonly<Record<string, string>>,
    lifetime: Duration.Duration
  ) => Effect.Effect<string>
  /** The path of an object for the x-amz-copy-source header. */
  readonly pathOf: (key: ObjectKey) => string
}

const signerNow = Effect.map(DateTime.now, (now) => DateTime.formatIso(now).replace(/[:-]|\.\d{3}/g, ""))

/** Requests to the bucket of `S3Bucket`, over connections that close with the scope. */
export const s3Requests: Effect.Effect<S3Requests, never, S3Bucket | Scope.Scope> = Effect.gen(function* () {
  const { accessKeyId, bucket, endpoint, region, secretAccessKey } = yield* S3Bucket
  const base =
    endpoint === null ? `https://${bucket}.s3.${region}.amazonaws.com/` : `${endpoint.replace(/\/+$/, "")}/${bucket}/`
  const dispatcher = yield* Effect.acquireRelease(
    Effect.sync(() => new Agent({ ...timeouts, connect: { timeout: timeouts.connectTimeout } })),
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
    const { headers: signedHeaders, url } = yield* signed(
      { method, headers: { ...headers, "x-amz-content-sha256": digestOf(body) } },
      base + key
    )
    return yield* Effect.tryPromise({
      try: (signal) =>
        request(url, { method, headers: Object.fromEntries(signedHeaders), body: body ?? null, dispatcher, signal }),
      catch: (cause) => new S3Failed({ message: `${method} of an object got no response`, cause })
    })
  })

  const textOf = (response: S3Response) =>
    Effect.tryPromise({
      try: () => response.body.text(),
      catch: (cause) => new S3Failed({ message: "The response was interrupted", cause })
    })

  const checked = Effect.fnUntraced(function* (options: S3Request, statuses: ReadonlyArray<number>) {
    const response = yield* exchange(options)
    if (statuses.includes(response.statusCode)) return response
    const reason = errorText(yield* textOf(response))
    return yield* new S3Failed({
      message: `${options.method} of an object failed with status ${response.statusCode} ${reason}`
    })
  })

  return {
    send: (options, statuses) => Effect.catchAll(checked(options, statuses), logged),
    execute: (options, statuses) =>
      checked(options, statuses).pipe(
        Effect.tap((response) =>
          // A copy may fail after the 200 was sent (S3 API, CopyObject).
          Effect.flatMap(textOf(response), (text) =>
            text.includes("<Error>") ? new S3Failed({ message: errorText(text) }) : Effect.void
          )
        ),
        Effect.catchAll(logged)
      ),
    presignPut: (key, headers, lifetime) => {
      const url = `${base}${key}?X-Amz-Expires=${Math.floor(Duration.toSeconds(lifetime))}`
      const options = { method: "PUT", headers: { ...headers }, signQuery: true, allHeaders: true }
      return Effect.map(signed(options, url), ({ url: link }) => link.href)
    },
    pathOf: (key) => `/${bucket}/${key}`
  }
})
