import { Effect } from "effect"
import { repeatUnavailable } from "../LiveService.js"
import { jsonSchemaProblems } from "./JsonSchemaProblems.js"
import type { OpenApiDocument } from "./OpenApiDocument.js"
import type { Operation } from "./Operations.js"

export type Texts = Readonly<Record<string, string>>

/** The parts of a request. A string body is sent unchanged, any other as JSON. */
export interface RequestParts {
  readonly path?: Texts
  readonly query?: Texts
  readonly headers?: Texts
  readonly body?: unknown
}

/** A response; `body` is the parsed JSON, else the text. */
export interface TestResponse {
  readonly status: number
  readonly headers: Texts
  readonly text: string
  readonly body: unknown
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Reads the beginning of a stream, which does not end by itself. */
const readBeginning = async (response: Response, enough: (text: string) => boolean) => {
  const decoder = new TextDecoder()
  let text = ""
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (enough(text)) break
  }
  return text
}

/** Sends a request. An event stream is read until `enough`. */
export const sendOnce =
  (baseUrl: string) =>
  (
    method: string,
    address: string,
    { body, headers = {} }: RequestParts = {},
    enough = (text: string) => text.includes("\n\n")
  ): Effect.Effect<TestResponse> =>
    Effect.promise(async () => {
      const response = await fetch(`${baseUrl}${address}`, {
        method,
        // A tracked link leads to another host.
        redirect: "manual",
        headers: {
          // Without compression, which would only cost time.
          "Accept-Encoding": "identity",
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
          ...headers
        },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
      })
      const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true
      const text = await (isStream ? readBeginning(response, enough) : response.text())
      return { status: response.status, headers: Object.fromEntries(response.headers), text, body: parse(text) }
    })

/** Sends a request; retries after 503: on a slow machine the database may not respond in time. */
export const sendWithRetry =
  (baseUrl: string) =>
  (...request: Parameters<ReturnType<typeof sendOnce>>) =>
    repeatUnavailable(sendOnce(baseUrl)(...request))

/** Differences between a response and its description in the document. */
export const responseProblems = (document: OpenApiDocument) => {
  const problemsOf = jsonSchemaProblems(document)
  return ({ responses }: Operation, { body, headers, status }: TestResponse): ReadonlyArray<string> => {
    const response = responses[status]
    if (response === undefined) return [`responds ${status}, which is not described: ${JSON.stringify(body)}`]
    const type = headers["content-type"]?.split(";")[0] ?? "no content type"
    if (response.content === undefined && type === "no content type") return []
    const content = response.content?.[type]
    if (content === undefined) return [`responds ${status} with ${type}, which is not described`]
    return [
      ...problemsOf(content.schema, body).map((problem) => `${status}: ${problem} in ${JSON.stringify(body)}`),
      ...(headers["x-request-id"] === undefined ? [`responds ${status} without X-Request-Id`] : [])
    ]
  }
}

/** Path and query of an operation's request. */
export const urlOf = ({ path }: Operation, { path: ids = {}, query = {} }: RequestParts) => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? "not-given"))
  return Object.keys(query).length === 0 ? filled : `${filled}?${new URLSearchParams(query)}`
}
