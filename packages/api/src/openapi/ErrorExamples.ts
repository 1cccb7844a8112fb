import { messageExample } from "./examples/MessageExamples.js"

/** An example of every error, by `_tag`. */
export const errorExamples: Readonly<Record<string, unknown>> = {
  BadRequestError: { _tag: "BadRequestError", message: "The parameter limit must be a whole number from 1 to 100" },
  ValidationError: {
    _tag: "ValidationError",
    message: "The request body is invalid",
    fields: { "email.subject": ["is required without a template"] }
  },
  ResourceNotFoundError: { _tag: "ResourceNotFoundError", resource: "message", id: messageExample.id },
  UnauthorizedError: { _tag: "UnauthorizedError", message: "The API key is missing or invalid" },
  PaymentRequiredError: { _tag: "PaymentRequiredError", resource: "messages", currentUsage: 1000, limit: 1000 },
  ForbiddenError: { _tag: "ForbiddenError", message: "The API key lacks the permission messages.send" },
  ConflictError: {
    _tag: "ConflictError",
    message: "The idempotency key was used before with a different request",
    resource: "message"
  },
  RateLimitedError: { _tag: "RateLimitedError", retryAfterSeconds: 1 },
  PayloadTooLargeError: {
    _tag: "PayloadTooLargeError",
    message: "The body is larger than 36700160 bytes",
    limitBytes: 36_700_160
  },
  ExternalServiceError: {
    _tag: "ExternalServiceError",
    provider: "object store",
    message: "The object store failed; try again"
  },
  InternalError: { _tag: "InternalError", message: "An unexpected error. It has been logged with the request's id." },
  ServiceUnavailableError: {
    _tag: "ServiceUnavailableError",
    message: "The database can't be reached",
    retryAfterSeconds: 1
  }
}
