import { HttpServerResponse } from "@effect/platform"

interface Options {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** A response of JSON text. Node.js writes text together with the headers, in one chunk. */
export const jsonTextResponse = (text: string, options: Options = {}): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.raw(text, {
    ...options,
    contentType: "application/json",
    contentLength: Buffer.byteLength(text)
  })

/** A JSON response. */
export const jsonResponse = (value: unknown, options?: Options): HttpServerResponse.HttpServerResponse =>
  jsonTextResponse(JSON.stringify(value), options)
