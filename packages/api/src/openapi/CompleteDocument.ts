import type { OpenApi } from "@effect/platform"
import { Predicate } from "effect"
import { exportContents } from "../analytics/ExportDescription.js"
import type { OperationRule } from "../OperationRules.js"
import { sessionCookie } from "../sessions/SessionsApi.js"
import { errorExamples } from "./ErrorExamples.js"
import { examples } from "./Examples.js"
import { keylessRoutes } from "./KeylessRoutes.js"

/** The platform describes its own decoding error; callers never meet it. */
const platformSchemas = new Set(["HttpApiDecodeError", "Issue", "PropertyKey"])

const text = { type: "string" }
const number = { type: "integer" }

const everyHeader = {
  "X-Request-Id": { description: "The request's id: the caller's own, if it sent one", schema: text }
}
const rateHeaders = {
  "RateLimit-Limit": { description: "Requests that a burst may have", schema: number },
  "RateLimit-Remaining": { description: "Requests that are left of it", schema: number },
  "RateLimit-Reset": { description: "Seconds until all of them are back", schema: number }
}
const retryHeader = { "Retry-After": { description: "Seconds to wait before the next try", schema: number } }
const replayHeader = {
  "Idempotent-Replayed": { description: "`true` if this is an earlier send's message, given again", schema: text }
}

/** What an operation answers beside the JSON that its declaration tells of, by the type of the content. */
const otherContents: Readonly<Record<string, object>> = { "analytics.export": exportContents }

/** Beside the key's scheme, which the declaration has. */
const session = {
  type: "apiKey",
  in: "cookie",
  name: sessionCookie,
  description:
    "A session of a browser, in place of a key. Requests that change something also need the header `X-CSRF-Token` with the `csrfToken` of the log-in's answer: without it, or with another one, they are 403. Where a request has the key's header too, that decides."
}

const csrfParameter = {
  name: "X-CSRF-Token",
  in: "header",
  required: false,
  description: "The `csrfToken` of the log-in's answer. Needed with a session's cookie.",
  schema: text
}

const errorRef = "#/components/schemas/"

/** The name of the error that a response describes, if it describes one. */
const errorOf = (response: OpenApi.OpenApiSpecResponse): string | undefined => {
  const schema: unknown = response.content?.["application/json"]?.schema
  const names = JSON.stringify(schema ?? {}).match(/#\/components\/schemas\/(\w+Error)"/g) ?? []
  const found = names.map((name) => name.slice(errorRef.length, -1)).filter((name) => !platformSchemas.has(name))
  return found.length === 1 ? found[0] : undefined
}

/** What knows a send again by its key. */
const sends = new Set(["messages.send", "email.send"])

const headersOf = (operationId: string, status: string, takesKey: boolean) => ({
  ...everyHeader,
  ...(takesKey && !["401", "403", "500"].includes(status) ? rateHeaders : {}),
  ...(status === "429" || status === "503" ? retryHeader : {}),
  ...(sends.has(operationId) && status === "201" ? replayHeader : {})
})

const descriptionOf = (
  status: string,
  response: OpenApi.OpenApiSpecResponse,
  rule: OperationRule | undefined
): string => {
  if (status === "400") return "The request is malformed"
  return status === "413" && rule !== undefined
    ? `The body is larger than ${rule.bodyLimit} bytes`
    : response.description
}

const completeResponse = (
  operationId: string,
  status: string,
  response: OpenApi.OpenApiSpecResponse,
  rule: OperationRule | undefined
) => {
  const error = errorOf(response)
  // An answer is JSON, unless the declaration says otherwise.
  const [type = "application/json"] = error === undefined ? Object.keys(response.content ?? {}) : []
  const example = error === undefined ? examples[operationId]?.response : errorExamples[error]
  const schema =
    error === undefined ? Object.values(response.content ?? {})[0]?.schema : { $ref: `${errorRef}${error}` }
  return {
    ...response,
    description: descriptionOf(status, response, rule),
    headers: headersOf(operationId, status, rule?.credentials.includes("apiKey") ?? false),
    content: { [type]: { schema, example }, ...(error === undefined ? otherContents[operationId] : {}) }
  }
}

/** Which credentials an operation takes; where a session is one, what else that needs. */
const completeSecurity = (
  { credentials }: OperationRule,
  method: string,
  parameters: ReadonlyArray<OpenApi.OpenAPISpecParameter>
) => ({
  security: credentials.map((name) => ({ [name]: [] })),
  parameters: credentials.includes("session") && method !== "get" ? [...parameters, csrfParameter] : parameters
})

/** Whether a body has nothing that must be in it: then it may also be left out. */
const isOptional = (document: OpenApi.OpenAPISpec, requestBody: OpenApi.OpenAPISpecRequestBody): boolean => {
  const schema: unknown = requestBody.content["application/json"]?.schema
  const [, name = ""] = /#\/components\/schemas\/(\w+)/.exec(JSON.stringify(schema ?? {})) ?? []
  const named: unknown = document.components.schemas[name]
  return Predicate.hasProperty(named, "required") && Array.isArray(named.required) && named.required.length === 0
}

const mapValues = <A, B>(record: Readonly<Record<string, A>>, change: (value: A, key: string) => B) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))

/** Adds to the derived document what the derivation can't know: examples, headers, permissions, and what is an extension. */
export const completeDocument = (document: OpenApi.OpenAPISpec, rules: ReadonlyMap<string, OperationRule>): object => ({
  ...document,
  paths: {
    ...mapValues(document.paths, (methods, path) =>
      mapValues({ ...methods }, (operation, method) => {
        const { operationId, parameters, requestBody, responses } = operation
        const rule = rules.get(`${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`)
        const request = examples[operationId]?.request
        return {
          ...operation,
          ...(rule?.isExtension === true ? { "x-switchboard-extension": true } : {}),
          ...(rule === undefined ? {} : completeSecurity(rule, method, parameters)),
          "x-permission": rule?.permission ?? undefined,
          ...(requestBody === undefined
            ? {}
            : {
                requestBody: {
                  ...requestBody,
                  required: !isOptional(document, requestBody),
                  content: mapValues({ ...requestBody.content }, (content) => ({ ...content, example: request }))
                }
              }),
          responses: mapValues({ ...responses }, (response, status) =>
            completeResponse(operationId, status, response, rule)
          )
        }
      })
    ),
    ...keylessRoutes
  },
  components: {
    ...document.components,
    securitySchemes: { ...document.components.securitySchemes, session },
    schemas: Object.fromEntries(
      Object.entries(document.components.schemas).filter(([name]) => !platformSchemas.has(name))
    )
  }
})
