import { HttpServerResponse } from "@effect/platform"

interface Options {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** A JSON response. Its body is text: Node.js writes it together with the headers, in one chunk. */
export const jsonResponse = (value: unknown, options: Options = {}): HttpServerResponse.HttpServerResponse => {
  const text = JSON.stringify(value)
  return HttpServerResponse.raw(text, {
    ...options,
    contentType: "application/json",
    contentLength: Buffer.byteLength(text)
  })
}
