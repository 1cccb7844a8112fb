import type { OpenApi } from "@effect/platform"
import { Predicate, Record } from "effect"
import type { Example } from "../Annotations.js"
import type { OperationRule } from "../OperationRules.js"
import { errorExamples } from "./ErrorExamples.js"

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

const csrfParameter: OpenApi.OpenAPISpecParameter = {
  name: "X-CSRF-Token",
  in: "header",
  required: false,
  description: "The `csrfToken` of the log-in's answer. Needed with a session's cookie.",
  schema: { type: "string" }
}

const schemaPath = "#/components/schemas/"

/** The name of the schema that a reference leads to. */
const referenced = (schema: unknown): string =>
  Predicate.hasProperty(schema, "$ref") && Predicate.isString(schema.$ref) ? schema.$ref.slice(schemaPath.length) : ""

const alternatives = (schema: unknown): ReadonlyArray<unknown> =>
  Predicate.hasProperty(schema, "anyOf") && Array.isArray(schema.anyOf) ? schema.anyOf : [schema]

/** The schemas of the platform's own decoding error. It is listed for every operation, and never sent. */
export const platformSchemas = ["HttpApiDecodeError", "Issue", "PropertyKey"]

const isSent = ({ content }: OpenApi.OpenApiSpecResponse) =>
  !Object.values(content ?? {}).some(({ schema }) => platformSchemas.includes(referenced(schema)))

/** An operation, with the parts of its declaration that the platform does not describe. */
export interface Described {
  readonly operation: OpenApi.OpenAPISpecOperation
  readonly method: string
  readonly rule: OperationRule | undefined
  readonly example: Example
}

const headersOf = ({ operation, rule }: Described, status: string) => ({
  ...everyHeader,
  ...(rule?.credentials.includes("apiKey") && !["401", "403", "500"].includes(status) ? rateHeaders : {}),
  ...(status === "429" || status === "503" ? retryHeader : {}),
  ...(status === "201" && operation.parameters.some(({ name }) => name === "idempotency-key") ? replayHeader : {})
})

const errorDescription = (status: string, description: string, rule: OperationRule | undefined) => {
  if (status === "400") return "The request is malformed"
  return status === "413" && rule !== undefined ? `The body is larger than ${rule.bodyLimit} bytes` : description
}

const completeResponse = (described: Described, response: OpenApi.OpenApiSpecResponse, status: string) => {
  const { example, rule } = described
  const [[type, content] = ["application/json", undefined]] = Object.entries(response.content ?? {})
  const error = alternatives(content?.schema)
    .map(referenced)
    .find((name) => Object.hasOwn(errorExamples, name))
  return {
    ...response,
    headers: headersOf(described, status),
    ...(error === undefined
      ? { content: { [type]: { ...content, example: example.response }, ...example.otherContents } }
      : {
          description: errorDescription(status, response.description, rule),
          content: {
            [type]: { schema: { $ref: schemaPath + error }, example: example.errors?.[error] ?? errorExamples[error] }
          }
        })
  }
}

/** A body without required fields may be left out. */
const isRequired = (requestBody: OpenApi.OpenAPISpecRequestBody, schemas: Readonly<Record<string, unknown>>) => {
  const schema = schemas[referenced(requestBody.content["application/json"]?.schema)]
  return !(Predicate.hasProperty(schema, "required") && Array.isArray(schema.required) && schema.required.length === 0)
}

/** Adds examples, headers, permission, credentials and the mark of extensions to an operation. */
export const completeOperation = (described: Described, schemas: Readonly<Record<string, unknown>>) => {
  const { example, method, operation, rule } = described
  const { parameters, requestBody, responses } = operation
  const takesCsrfToken = rule?.credentials.includes("session") === true && method !== "get"
  return {
    ...operation,
    ...(rule?.isExtension === true ? { "x-switchboard-extension": true } : {}),
    ...(rule === undefined ? {} : { security: rule.credentials.map((name) => ({ [name]: [] })) }),
    "x-permission": rule?.permission ?? undefined,
    parameters: takesCsrfToken ? [...parameters, csrfParameter] : parameters,
    ...(requestBody === undefined
      ? {}
      : {
          requestBody: {
            ...requestBody,
            required: isRequired(requestBody, schemas),
            content: Record.map<string, OpenApi.OpenApiSpecMediaType, object>(requestBody.content, (content) => ({
              ...content,
              example: example.request
            }))
          }
        }),
    responses: Record.map(Record.filter(responses, isSent), (response, status) =>
      completeResponse(described, response, status)
    )
  }
}
