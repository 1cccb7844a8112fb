import { HttpApiSchema } from "@effect/platform"
import { Predicate, Schema } from "effect"

/*
 * Every failure that can reach a caller. On the wire each is a flat JSON object whose `_tag` tells it apart;
 * its HTTP status stands here, on its class, and nowhere else.
 */

const isMessages = (value: unknown) => Array.isArray(value) && value.every(Predicate.isString)

const isFieldMessages = (value: unknown): value is Readonly<Record<string, ReadonlyArray<string>>> =>
  Predicate.isRecord(value) && Object.values(value).every(isMessages)

/** The request is not well formed: its JSON, its content type, or a path or query parameter. */
export class BadRequestError extends Schema.TaggedError<BadRequestError>()(
  "BadRequestError",
  { message: Schema.String },
  HttpApiSchema.annotations({ status: 400, description: "The request is malformed" })
) {}

/** Taken as it is, never copied: a copy would lose the message about a field that a caller names `__proto__`. */
const FieldMessages = Schema.declare(isFieldMessages, {
  jsonSchema: { type: "object", additionalProperties: { type: "array", items: { type: "string" } } }
})

/** The request body breaks a rule; `fields` maps each dotted path to what is wrong there. */
export class ValidationError extends Schema.TaggedError<ValidationError>()(
  "ValidationError",
  {
    message: Schema.String,
    fields: Schema.optional(FieldMessages)
  },
  HttpApiSchema.annotations({ status: 422, description: "The request body is invalid" })
) {}

/** The resource does not exist, or is another organization's: the answer is the same. */
export class ResourceNotFoundError extends Schema.TaggedError<ResourceNotFoundError>()(
  "ResourceNotFoundError",
  { resource: Schema.String, id: Schema.String },
  HttpApiSchema.annotations({ status: 404, description: "The resource does not exist" })
) {}

/** The API key is missing, unknown, expired, inactive or removed: the answer never says which. */
export class UnauthorizedError extends Schema.TaggedError<UnauthorizedError>()(
  "UnauthorizedError",
  { message: Schema.String },
  HttpApiSchema.annotations({ status: 401, description: "The API key is missing or invalid" })
) {}

/** The organization's plan is used up: `currentUsage` of `limit` this calendar month (UTC). */
export class PaymentRequiredError extends Schema.TaggedError<PaymentRequiredError>()(
  "PaymentRequiredError",
  { resource: Schema.String, currentUsage: Schema.Number, limit: Schema.Number },
  HttpApiSchema.annotations({ status: 402, description: "The plan's limit is reached" })
) {}

/** The key is valid, but lacks the permission or belongs to no organization. */
export class ForbiddenError extends Schema.TaggedError<ForbiddenError>()(
  "ForbiddenError",
  { message: Schema.String },
  HttpApiSchema.annotations({ status: 403, description: "The key lacks the permission, or has no organization" })
) {}

/** The request contradicts what exists: a reused idempotency key, or a state that does not allow it. */
export class ConflictError extends Schema.TaggedError<ConflictError>()(
  "ConflictError",
  { message: Schema.String, resource: Schema.String },
  HttpApiSchema.annotations({ status: 409, description: "The request conflicts with what exists" })
) {}

/** The organization sends faster than its rate; wait `retryAfterSeconds` seconds before the next try. */
export class RateLimitedError extends Schema.TaggedError<RateLimitedError>()(
  "RateLimitedError",
  { retryAfterSeconds: Schema.Number },
  HttpApiSchema.annotations({ status: 429, description: "The rate limit is exceeded" })
) {}

/** The body is larger than `limitBytes` bytes. */
export class PayloadTooLargeError extends Schema.TaggedError<PayloadTooLargeError>()(
  "PayloadTooLargeError",
  { message: Schema.String, limitBytes: Schema.Number },
  HttpApiSchema.annotations({ status: 413, description: "The request body is too large" })
) {}

/** A call that needs an upstream's answer now did not get it. */
export class ExternalServiceError extends Schema.TaggedError<ExternalServiceError>()(
  "ExternalServiceError",
  { provider: Schema.String, message: Schema.String },
  HttpApiSchema.annotations({ status: 502, description: "An upstream provider failed" })
) {}

/** A defect of ours. Its cause is in the logs, never in the answer. */
export class InternalError extends Schema.TaggedError<InternalError>()(
  "InternalError",
  { message: Schema.String },
  HttpApiSchema.annotations({ status: 500, description: "An unexpected server error" })
) {}

/** What stands behind the service can't be reached, or the process is stopping: the same request may go through soon. */
export class ServiceUnavailableError extends Schema.TaggedError<ServiceUnavailableError>()(
  "ServiceUnavailableError",
  { message: Schema.String, retryAfterSeconds: Schema.Number },
  HttpApiSchema.annotations({ status: 503, description: "A temporary outage" })
) {}

const errors = [
  BadRequestError,
  UnauthorizedError,
  PaymentRequiredError,
  ForbiddenError,
  ResourceNotFoundError,
  ConflictError,
  PayloadTooLargeError,
  ValidationError,
  RateLimitedError,
  InternalError,
  ExternalServiceError,
  ServiceUnavailableError
] as const

/** Every error that a response can carry: a flat JSON object with its `_tag`. */
export const ApiError = Schema.Union(...errors).annotations({ identifier: "ApiError" })
export type ApiError = typeof ApiError.Type

export const isApiError = Schema.is(ApiError)

const statuses = new Map<string, number>(errors.map((error) => [error._tag, HttpApiSchema.getStatusError(error)]))

/** The HTTP status of an error, as its class declares it. */
export const statusOf = (error: ApiError): number => statuses.get(error._tag) ?? 500
