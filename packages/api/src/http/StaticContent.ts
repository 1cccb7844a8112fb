import { createHash } from "node:crypto"
import { constants } from "node:zlib"
import { type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { acceptsGzip, gzipBytes } from "./Gzip.js"

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
