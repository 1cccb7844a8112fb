import type { OpenApi } from "@effect/platform"
import { Predicate, Record } from "effect"
import type { OperationRule } from "../OperationRules.js"
import { describeFields, parameterDescription } from "./DescribeFields.js"
import type { Example } from "./OperationExamples.js"
import { errorExamples, securityOf } from "./SharedParts.js"

const text = { type: "string" }
const number = { type: "integer" }

const commonHeaders = {
  "X-Request-Id": { description: "Id of the request: that of the request header, if it has one", schema: text }
}
const rateHeaders = {
  "RateLimit-Limit": { description: "Requests allowed in a burst", schema: number },
  "RateLimit-Remaining": { description: "Requests left of the burst", schema: number },
  "RateLimit-Reset": { description: "Seconds until the complete burst is available again", schema: number }
}
const retryHeader = { "Retry-After": { description: "Seconds to wait before the next attempt", schema: number } }
const challengeHeader = { "WWW-Authenticate": { description: "The accepted scheme: `Bearer`", schema: text } }
const replayHeader = {
  "Idempotent-Replayed": {
    description: "`true` if an earlier request with the same key created the resource. Otherwise absent",
    schema: text
  }
}
const locationHeader = (description: string) => ({
  Location: { description, schema: { type: "string", format: "uri-reference" } }
})
const createdLocation = (path: string) =>
  locationHeader(`Path of the created resource: \`${path.replace(/:(\w+)/g, "{$1}")}\``)
const pageHeaders = {
  Link: {
    description:
      'The next page: `<URL>; rel="next"` (RFC 8288). Absent on the last page; a page before it can have fewer than `limit` items',
    schema: text
  },
  "Total-Estimated": {
    description: "`true` if more than 10,000 items match and `total` is an estimate. Otherwise absent",
    schema: text
  }
}

/** The headers that are components of the document. */
export const sharedHeaders = {
  ...commonHeaders,
  ...rateHeaders,
  ...retryHeader,
  ...challengeHeader,
  ...replayHeader,
  ...pageHeaders
}

/** References to the components of headers. */
const refer = (headers: Readonly<Record<string, object>>) =>
  Record.map(headers, (_, name) => ({ $ref: `#/components/headers/${name}` }))

const csrfParameter: OpenApi.OpenAPISpecParameter = {
  name: "X-CSRF-Token",
  in: "header",
  required: false,
  schema: { type: "string" }
}

const schemaPath = "#/components/schemas/"

/** The name of the schema that a `$ref` refers to. */
const referenced = (schema: unknown): string =>
  Predicate.hasProperty(schema, "$ref") && Predicate.isString(schema.$ref) ? schema.$ref.slice(schemaPath.length) : ""

const alternatives = (schema: unknown): ReadonlyArray<unknown> =>
  Predicate.hasProperty(schema, "anyOf") && Array.isArray(schema.anyOf) ? schema.anyOf : [schema]

/** The schemas of the platform's decoding error. The platform lists it for every operation; it is never sent. */
export const platformSchemas = ["HttpApiDecodeError", "Issue", "PropertyKey"]

const isSent = ({ content }: OpenApi.OpenApiSpecResponse) =>
  !Object.values(content ?? {}).some(({ schema }) => platformSchemas.includes(referenced(schema)))

/** An operation with its rule and examples, which the platform does not add to the document. */
export interface DocumentedOperation {
  readonly operation: OpenApi.OpenAPISpecOperation
  readonly method: string
  readonly rule: OperationRule | undefined
  readonly example: Example
}

const headersOf = ({ operation, rule }: DocumentedOperation, status: string) => ({
  ...refer({
    ...commonHeaders,
    ...(rule?.credentials.includes("apiKey") && !["401", "403", "500"].includes(status) ? rateHeaders : {}),
    ...(status === "401" ? challengeHeader : {}),
    ...(status === "429" || status === "503" ? retryHeader : {}),
    ...(/^20[01]$/.test(status) && operation.parameters.some(({ name }) => name === "idempotency-key")
      ? replayHeader
      : {}),
    ...(status === "200" && operation.parameters.some(({ name }) => name === "after") ? pageHeaders : {})
  }),
  ...(status === "302" ? locationHeader("The link in the mail") : {}),
  ...(status === "201" && rule != null && rule.location !== null ? createdLocation(rule.location) : {})
})

const errorDescription = (status: string, description: string, rule: OperationRule | undefined) => {
  if (status === "400") return "The request is malformed"
  return status === "413" && rule !== undefined ? `The body is larger than ${rule.bodyLimit} bytes` : description
}

const completeResponse = (documented: DocumentedOperation, response: OpenApi.OpenApiSpecResponse, status: string) => {
  const { example, rule } = documented
  const [[type, content] = ["application/json", undefined]] = Object.entries(response.content ?? {})
  const error = alternatives(content?.schema)
    .map(referenced)
    .find((name) => Object.hasOwn(errorExamples, name))
  if (response.content === undefined) return { ...response, headers: headersOf(documented, status) }
  return {
    ...response,
    headers: headersOf(documented, status),
    ...(error === undefined
      ? {
          content: {
            [type]: {
              ...content,
              schema: describeFields(documented.operation.operationId, content?.schema),
              example: example.response
            },
            ...example.otherContents
          }
        }
      : {
          description: errorDescription(status, response.description, rule),
          content: {
            [type]: { schema: { $ref: schemaPath + error }, example: example.errors?.[error] ?? errorExamples[error] }
          }
        })
  }
}

/** A body without required fields is optional. */
const isRequired = (requestBody: OpenApi.OpenAPISpecRequestBody, schemas: Readonly<Record<string, unknown>>) => {
  const schema = schemas[referenced(requestBody.content["application/json"]?.schema)]
  return !(Predicate.hasProperty(schema, "required") && Array.isArray(schema.required) && schema.required.length === 0)
}

/** Adds descriptions of parameters and fields, examples, headers, permission, credentials and the mark of extensions. */
export const completeOperation = (documented: DocumentedOperation, schemas: Readonly<Record<string, unknown>>) => {
  const { example, method, operation, rule } = documented
  const { parameters, requestBody, responses } = operation
  const takesCsrfToken = rule?.credentials.includes("session") === true && method !== "get"
  const isExtension = rule?.isExtension === true
  return {
    ...operation,
    description: isExtension ? `${operation.description}\n\nAn extension of the specification.` : operation.description,
    ...(isExtension ? { "x-switchboard-extension": true } : {}),
    ...(rule === undefined ? {} : { security: securityOf(rule.credentials) }),
    "x-permission": rule?.permission ?? undefined,
    parameters: (takesCsrfToken ? [...parameters, csrfParameter] : parameters).map((parameter) => ({
      ...parameter,
      description: parameterDescription(operation.operationId, parameter.name) ?? parameter.description
    })),
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
      completeResponse(documented, response, status)
    )
  }
}
