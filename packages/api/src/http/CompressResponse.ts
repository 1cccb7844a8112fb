import { HttpBody, type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Predicate } from "effect"
import { acceptsGzip, gzipBytes, gzipStream } from "./Gzip.js"

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
