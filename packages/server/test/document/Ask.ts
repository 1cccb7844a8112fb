import { Effect } from "effect"
import { repeatUnavailable } from "../LiveService.js"
import { jsonSchemaProblems } from "./JsonSchemaProblems.js"
import type { OpenApiDocument } from "./OpenApiDocument.js"
import type { Operation } from "./Operations.js"

export type Texts = Readonly<Record<string, string>>

/** What a request says. A body that is a text goes as it is, any other as JSON. */
export interface Given {
  readonly path?: Texts
  readonly query?: Texts
  readonly headers?: Texts
  readonly body?: unknown
}

/** What comes back. */
export interface Answer {
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

/** The first of what a stream says: it would go on. */
const beginningOf = async (response: Response, enough: (text: string) => boolean) => {
  const decoder = new TextDecoder()
  let text = ""
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (enough(text)) break
  }
  return text
}

/** Sends any request. What never ends is listened to until it is enough. */
export const sendingOnce =
  (baseUrl: string) =>
  (
    method: string,
    address: string,
    { body, headers = {} }: Given = {},
    enough = (text: string) => text.includes("\n\n")
  ): Effect.Effect<Answer> =>
    Effect.promise(async () => {
      const response = await fetch(`${baseUrl}${address}`, {
        method,
        headers: { ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...headers },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
      })
      const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true
      const text = await (isStream ? beginningOf(response, enough) : response.text())
      return { status: response.status, headers: Object.fromEntries(response.headers), text, body: parse(text) }
    })

/** Sends any request, and again after a 503: a slow machine may not reach its database in time. */
export const sending =
  (baseUrl: string) =>
  (...request: Parameters<ReturnType<typeof sendingOnce>>) =>
    repeatUnavailable(sendingOnce(baseUrl)(...request))

/** Where an answer is not what the document says of its operation, in sentences. */
export const answerProblems = (document: OpenApiDocument) => {
  const problemsOf = jsonSchemaProblems(document)
  return ({ responses }: Operation, { body, headers, status }: Answer): ReadonlyArray<string> => {
    const response = responses[status]
    if (response === undefined) return [`answers ${status}, which is not described: ${JSON.stringify(body)}`]
    const type = headers["content-type"]?.split(";")[0] ?? "nothing"
    const content = response.content?.[type]
    if (content === undefined) return [`answers ${status} with ${type}, which is not described`]
    return [
      ...problemsOf(content.schema, body).map((problem) => `${status}: ${problem}`),
      ...(headers["x-request-id"] === undefined ? [`answers ${status} without X-Request-Id`] : [])
    ]
  }
}

/** The address of an operation's request. */
export const addressOf = ({ path }: Operation, { path: ids = {}, query = {} }: Given) => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? "not-given"))
  return Object.keys(query).length === 0 ? filled : `${filled}?${new URLSearchParams(query)}`
}
