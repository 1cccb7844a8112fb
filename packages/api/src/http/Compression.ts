import { createHash } from "node:crypto"
import { constants, createGzip, gzip } from "node:zlib"
import { HttpBody, type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Predicate, Stream } from "effect"

const weight = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i

/**
 * The weights of a header with a list of values, such as `Accept` or `Accept-Encoding`, by value in lower case
 * (RFC 9110 section 12.4.2). Values with an invalid weight are ignored.
 */
export const qualityValues = (header: string): ReadonlyMap<string, number> => {
  const values = new Map<string, number>()
  for (const element of header.split(",")) {
    const [name = "", ...parameters] = element.split(";").map((part) => part.trim())
    const given = parameters.find((parameter) => /^q\s*=/i.test(parameter))
    const value = given === undefined ? 1 : Number(weight.exec(given)?.[1])
    if (name !== "" && !Number.isNaN(value)) values.set(name.toLowerCase(), value)
  }
  return values
}

/** Whether a request names HTML in `Accept`, as browsers do. */
export const acceptsHtml = (accept = ""): boolean => (qualityValues(accept).get("text/html") ?? 0) > 0

/**
 * Whether gzip is the preferred content coding of a request, by its `Accept-Encoding` (RFC 9110 section 12.5.3). False
 * without the header: such a client may not decode.
 */
export const acceptsGzip = (acceptEncoding: string | undefined): boolean => {
  if (acceptEncoding === undefined) return false
  const weights = qualityValues(acceptEncoding)
  // RFC 9110 section 8.4.1.3: x-gzip is an alias.
  const ofGzip = weights.get("gzip") ?? weights.get("x-gzip") ?? weights.get("*") ?? 0
  return ofGzip > 0 && ofGzip >= (weights.get("identity") ?? 0)
}

/** Takes a third of the time of the default, 6, for 5 % more bytes (measured with lists of messages). */
const defaultLevel = 3

/** Compresses bytes outside the main thread. */
const gzipBytes = (bytes: Uint8Array, level = defaultLevel): Effect.Effect<Uint8Array, Error> =>
  Effect.async((resume) =>
    gzip(bytes, { level }, (error, compressed) =>
      resume(error === null ? Effect.succeed(compressed) : Effect.fail(error))
    )
  )

type Done = (error?: Error | null) => void

const openGzip = () => {
  const encoder = createGzip({ level: defaultLevel, flush: constants.Z_SYNC_FLUSH })
  const output: Array<Uint8Array> = []
  encoder.on("data", (bytes: Uint8Array) => output.push(bytes))
  // Without a listener it would end the process. The callback of the step reports it.
  encoder.on("error", () => undefined)
  const outputAfter = (step: (done: Done) => void) =>
    Effect.async<Uint8Array, Error>((resume) =>
      step((error) => {
        if (error) return resume(Effect.fail(error))
        // Emits the output that is still buffered.
        while (encoder.read() !== null);
        resume(Effect.sync(() => Buffer.concat(output.splice(0))))
      })
    )
  return {
    write: (bytes: Uint8Array) => outputAfter((done) => encoder.write(bytes, done)),
    // Not the callback of `end`: it runs before the last output.
    end: outputAfter((done) => encoder.once("error", done).once("end", done).end()),
    close: Effect.sync(() => encoder.destroy())
  }
}

/**
 * Compresses a stream. Each chunk is flushed, so that a client can decode it when it arrives. A stream that fails has no
 * gzip trailer. `NodeStream.pipeThroughDuplex` would end it like a complete one.
 */
export const gzipStream = <E, R>(stream: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Uint8Array, E | Error, R> =>
  Stream.unwrapScoped(
    Effect.map(
      Effect.acquireRelease(Effect.sync(openGzip), ({ close }) => close),
      ({ end, write }) =>
        Stream.concat(Stream.mapEffect(stream, write), Stream.fromEffect(end)).pipe(
          Stream.filter(({ length }) => length > 0)
        )
    )
  )

/**
 * Marks a response that is compressed if the request accepts it: lists and exports. Others are not, so that no response
 * has a new API key, webhook secret or CSRF token compressed together with text of a caller (BREACH). The only secrets of
 * lists are download links, and each response signs them anew: BREACH needs the same secret in many responses.
 */
export const compressible = { vary: "accept-encoding" }

/** The minimum size of a body to compress, in bytes. A smaller one fits into one packet in any case. */
const minSize = 1_024

const withGzip = (response: HttpServerResponse.HttpServerResponse, body: HttpBody.HttpBody) =>
  HttpServerResponse.setHeader(HttpServerResponse.setBody(response, body), "content-encoding", "gzip")

const gzipBody = (response: HttpServerResponse.HttpServerResponse, bytes: Uint8Array, contentType?: string) =>
  bytes.length < minSize
    ? Effect.succeed(response)
    : Effect.match(gzipBytes(bytes), {
        onSuccess: (compressed) => withGzip(response, HttpBody.uint8Array(compressed, contentType)),
        onFailure: () => response
      })

/** Compresses a response marked as `compressible`, if the request accepts gzip. */
export const compressResponse = (
  { headers }: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  const acceptEncoding = headers["accept-encoding"]
  const { body } = response
  const isCompressible = response.headers.vary === compressible.vary && !("content-encoding" in response.headers)
  if (acceptEncoding === undefined || !isCompressible || !acceptsGzip(acceptEncoding)) return Effect.succeed(response)
  switch (body._tag) {
    case "Raw":
      return Predicate.isString(body.body)
        ? gzipBody(response, Buffer.from(body.body), body.contentType)
        : Effect.succeed(response)
    case "Uint8Array":
      return gzipBody(response, body.body, body.contentType)
    case "Stream":
      return Effect.succeed(withGzip(response, HttpBody.stream(gzipStream(body.stream), body.contentType)))
    default:
      return Effect.succeed(response)
  }
}

/** Content that is the same for all requests. */
export interface Content {
  readonly text: string
  readonly contentType: string
  /** Own headers, which replace the default `Cache-Control: no-cache`. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Bytes of the content in one coding. Each coding has its own strong entity tag (RFC 9110 section 8.8.3.3). */
const representation = (bytes: Uint8Array, coding: Readonly<Record<string, string>>) => ({
  bytes,
  coding,
  etag: `"${createHash("sha256").update(bytes).digest("base64url")}"`
})

/** Whether `If-None-Match` has the entity tag, by weak comparison (RFC 9110 section 13.1.2). */
const matches = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch.trim() === "*" || ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag))

/**
 * Responses with static content, which is compressed once. By default, clients may store it and must revalidate it. A
 * 304 repeats the headers: they replace those of the stored response (RFC 9111 section 3.2).
 */
export const staticContent = ({ contentType, headers: own, text }: Content) => {
  const bytes = new TextEncoder().encode(text)
  return Effect.map(gzipBytes(bytes, constants.Z_BEST_COMPRESSION), (compressed) => {
    const identity = representation(bytes, {})
    const gzip = representation(compressed, { "content-encoding": "gzip" })
    return ({ headers: requested }: HttpServerRequest.HttpServerRequest): HttpServerResponse.HttpServerResponse => {
      const { bytes: body, coding, etag } = acceptsGzip(requested["accept-encoding"]) ? gzip : identity
      const headers = { "cache-control": "no-cache", ...own, etag, vary: "accept-encoding" }
      return matches(requested["if-none-match"], etag)
        ? HttpServerResponse.empty({ status: 304, headers })
        : HttpServerResponse.uint8Array(body, { contentType, headers: { ...headers, ...coding } })
    }
  })
}
