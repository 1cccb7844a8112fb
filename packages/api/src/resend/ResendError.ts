import type { HttpMethod, HttpRouter, HttpServerRequest } from "@effect/platform"
import type { ApiError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { Match, Schema } from "effect"
import { pathOf } from "../http/RequestParameters.js"
import { covers, operationRules } from "../OperationRules.js"

/** The names of errors that the Resend SDK documents, and `not_implemented` for what this service does not have. */
const ResendErrorName = Schema.Literal(
  "application_error",
  "internal_server_error",
  "invalid_api_key",
  "invalid_attachment",
  "invalid_from_address",
  "invalid_idempotency_key",
  "invalid_idempotent_request",
  "method_not_allowed",
  "missing_api_key",
  "missing_required_field",
  "monthly_quota_exceeded",
  "not_found",
  "not_implemented",
  "rate_limit_exceeded",
  "restricted_api_key",
  "validation_error"
)

/** The body of every error of the Resend API. */
export const ResendError = Schema.Struct({
  statusCode: Schema.Int.annotations({ description: "the HTTP status" }),
  name: ResendErrorName,
  message: Schema.String.annotations({ description: "the reason, with the names of the fields" }),
  error: Schema.optional(
    Schema.String.annotations({
      description: "the message again, for `not_implemented` only: resend-php ignores errors with an unknown name"
    })
  )
}).annotations({ identifier: "ResendError", description: "Error" })
export type ResendError = typeof ResendError.Type

type Request = HttpServerRequest.HttpServerRequest
type Name = typeof ResendErrorName.Type

const prefix = "/resend"

/** Whether a path belongs to the Resend API. */
export const isResendPath = (path: string): boolean => path === prefix || path.startsWith(`${prefix}/`)

/** The resources of Resend that this service does not have. */
const absentResources =
  /^\/(?:audiences|automations|broadcasts|contact-properties|contacts|domains\/claim|domains\/[^/]+\/claim|events|inboxes|logs|oauth|segments|suppressions|topics|usage|webhooks\/[^/]+\/events|emails\/metrics|emails\/[^/]+\/share)(?:\/|$)/

/** Operations of Resend that this service does not have, and that the router would match with `/emails/:id`. */
export const absentOperations: ReadonlyArray<{
  readonly method: HttpMethod.HttpMethod
  readonly path: HttpRouter.PathInput
}> = [{ method: "GET", path: `${prefix}/emails/metrics` }]

const error = (statusCode: number, name: Name, message: string): ResendError => ({ statusCode, name, message })

/** The paths of all operations, in segments. */
const paths = [...operationRules.keys()].map((operation) => operation.split(" ")[1]?.split("/") ?? [])

const unknownRoute = ({ method, url }: Request): ResendError => {
  const path = pathOf(url)
  if (absentResources.test(path.slice(prefix.length))) {
    const message = `This service does not have ${method} ${path.slice(prefix.length)} of Resend`
    return { ...error(501, "not_implemented", message), error: message }
  }
  return paths.some((known) => covers(known, path.split("/")))
    ? error(405, "method_not_allowed", "Method is not allowed for the requested path.")
    : error(404, "not_found", "The requested endpoint does not exist.")
}

/** The maximum number of fields that one message names. */
const maxFields = 20

const isMissing = (sentence: string) => sentence.startsWith("is required")

const describe = (field: string, sentence: string) => {
  if (isMissing(sentence)) return `Missing \`${field}\` field.`
  const text = sentence.replace(/\.$/, "")
  if (field === "") return `The email ${text}.`
  return /^(?:must|is|has|are) /.test(text) ? `The \`${field}\` field ${text}.` : `\`${field}\`: ${text}.`
}

/** The name of the header in the fields of an error. */
export const keyHeader = "Idempotency-Key"

const invalidBody = ({ fields = {}, message }: ValidationError): ResendError => {
  const problems = Object.entries(fields).flatMap(([field, sentences]) =>
    sentences.map((sentence) => ({ field, sentence }))
  )
  const text = problems
    .slice(0, maxFields)
    .map(({ field, sentence }) => describe(field, sentence))
    .join(" ")
  const has = (form: RegExp) => problems.some(({ field }) => form.test(field))
  if (fields[keyHeader] !== undefined) return error(400, "invalid_idempotency_key", text)
  if (problems.some(({ sentence }) => isMissing(sentence))) return error(422, "missing_required_field", text)
  if (has(/^(?:\d+\.)?from$/)) return error(422, "invalid_from_address", text)
  if (has(/^(?:\d+\.)?attachments\./)) return error(422, "invalid_attachment", text)
  return error(422, "validation_error", text === "" ? message : text)
}

/** The text of the error of an email in a batch. */
export const emailProblem = (failure: ResourceNotFoundError | ValidationError): string =>
  failure._tag === "ValidationError" ? invalidBody(failure).message : failure.message

const hasKey = ({ headers }: Request) => headers.authorization !== undefined || headers["x-api-key"] !== undefined

/** The error of a request in the form of Resend; null if its path does not belong to the Resend API. */
export const resendErrorForm = (request: Request, failure: ApiError): ResendError | null =>
  isResendPath(pathOf(request.url))
    ? Match.valueTags(failure, {
        BadRequestError: ({ message }) => error(400, "validation_error", message),
        UnauthorizedError: ({ message }) =>
          hasKey(request)
            ? error(403, "invalid_api_key", message)
            : error(401, "missing_api_key", "Missing API key in the authorization header."),
        SecondFactorRequiredError: ({ message }) => error(401, "missing_api_key", message),
        ForbiddenError: ({ message }) => error(401, "restricted_api_key", message),
        PaymentRequiredError: ({ message }) => error(429, "monthly_quota_exceeded", message),
        ResourceNotFoundError: ({ message, resource }) =>
          resource === "route" ? unknownRoute(request) : error(404, "not_found", message),
        // A conflict of a state has no name of its own.
        ConflictError: ({ message, resource }) =>
          resource === "idempotencyKey"
            ? error(409, "invalid_idempotent_request", message)
            : error(422, "validation_error", message),
        PayloadTooLargeError: ({ message }) => error(413, "validation_error", message),
        ValidationError: invalidBody,
        RateLimitedError: ({ message }) => error(429, "rate_limit_exceeded", message),
        ExternalServiceError: ({ message }) => error(502, "application_error", message),
        InternalError: ({ message }) => error(500, "internal_server_error", message),
        ServiceUnavailableError: ({ message }) => error(503, "application_error", message)
      })
    : null
