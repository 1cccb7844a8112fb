import { Schema } from "effect"

/** The names of errors that the Resend SDK documents, and `not_implemented` for what this service does not have. */
export const ResendErrorName = Schema.Literal(
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
