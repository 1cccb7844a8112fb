import { HttpServerResponse } from "@effect/platform"

interface Options {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * A response of JSON text. Node.js writes text together with the headers, in one chunk. The platform copies the headers
 * and adds those of the body: they are present already, since V8 makes a hidden class for each copy that gets a property.
 */
export const jsonTextResponse = (
  text: string,
  { headers, ...options }: Options = {}
): HttpServerResponse.HttpServerResponse => {
  const contentLength = Buffer.byteLength(text)
  return HttpServerResponse.raw(text, {
    contentType: "application/json",
    contentLength,
    headers: { "content-type": "application/json", "content-length": String(contentLength), ...headers },
    ...options
  })
}

/** A JSON response. */
export const jsonResponse = (value: unknown, options?: Options): HttpServerResponse.HttpServerResponse =>
  jsonTextResponse(JSON.stringify(value), options)
