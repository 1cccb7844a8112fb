import { HttpApiSchema } from "@effect/platform"
import { Predicate, Schema } from "effect"

/*
 * Every error of the API. On the wire each is a flat JSON object, and `_tag` identifies it. The HTTP status of an error
 * is annotated on its class, and is its `status`.
 */

const isMessages = (value: unknown) => Array.isArray(value) && value.every(Predicate.isString)

const isFieldMessages = (value: unknown): value is Readonly<Record<string, ReadonlyArray<string>>> =>
  Predicate.isRecord(value) && Object.values(value).every(isMessages)

/** The JSON, the content type, or a path or query parameter is malformed. */
export class BadRequestError extends Schema.TaggedError<BadRequestError>()(
  "BadRequestError",
  { message: Schema.String },
  HttpApiSchema.annotations({ status: 400, description: "The request is malformed" })
) {
  get status(): number {
    return statusOf(this)
  }
}

/** Used without a copy: a copy would lose the messages of a field named `__proto__`. */
const FieldMessages = Schema.declare(isFieldMessages, {
  jsonSchema: { type: "object", additionalProperties: { type: "array", items: { type: "string" } } }
})

/** The request body is invalid. `fields` maps each dotted path to its error messages. */
export class ValidationError extends Schema.TaggedError<ValidationError>()(
  "ValidationError",
  {
    message: Schema.String,
    fields: Schema.optional(FieldMessages)
  },
  HttpApiSchema.annotations({ status: 422, description: "The request body is invalid" })
) {
  get status(): number {
    return statusOf(this)
  }
}

/** The resource does not exist, or belongs to another organization: the response is the same. */
export class ResourceNotFoundError extends Schema.TaggedError<ResourceNotFoundError>()(
  "ResourceNotFoundError",
  { resource: Schema.String, id: Schema.String },
  HttpApiSchema.annotations({ status: 404, description: "The resource does not exist" })
) {
  override get message(): string {
    return `The ${this.resource} does not exist: ${this.id}`
  }

  get status(): number {
    return statusOf(this)
  }
}

/** The API key is missing, unknown, expired, inactive or removed. The response does not distinguish these. */
export class UnauthorizedError extends Schema.TaggedError<UnauthorizedError>()(
  "UnauthorizedError",
  { message: Schema.String },
  HttpApiSchema.annotations({ status: 401, description: "The API key is missing or invalid" })
) {
  get status(): number {
    return statusOf(this)
  }
}

/** Address and password are right, but the user has a second factor: the log-in needs its code. */
export class SecondFactorRequiredError extends Schema.TaggedError<SecondFactorRequiredError>()(
  "SecondFactorRequiredError",
  { message: Schema.String },
  HttpApiSchema.annotations({ status: 401, description: "The log-in needs the code of the second factor" })
) {
  get status(): number {
    return statusOf(this)
  }
}

/** The plan's limit is reached: `currentUsage` of `limit` messages in this calendar month (UTC). */
export class PaymentRequiredError extends Schema.TaggedError<PaymentRequiredError>()(
  "PaymentRequiredError",
  { resource: Schema.String, currentUsage: Schema.Number, limit: Schema.Number },
  HttpApiSchema.annotations({ status: 402, description: "The plan's limit is reached" })
) {
  override get message(): string {
    return `The plan's limit of ${this.resource} is reached: ${this.currentUsage} of ${this.limit}`
  }

  get status(): number {
    return statusOf(this)
  }
}

/** The key is valid, but lacks the permission or has no organization. */
export class ForbiddenError extends Schema.TaggedError<ForbiddenError>()(
  "ForbiddenError",
  { message: Schema.String },
  HttpApiSchema.annotations({ status: 403, description: "The key lacks the permission, or has no organization" })
) {
  get status(): number {
    return statusOf(this)
  }
}

/** The request conflicts with the current state: a reused idempotency key, or a state that forbids the operation. */
export class ConflictError extends Schema.TaggedError<ConflictError>()(
  "ConflictError",
  { message: Schema.String, resource: Schema.String },
  HttpApiSchema.annotations({ status: 409, description: "The request conflicts with what exists" })
) {
  get status(): number {
    return statusOf(this)
  }
}

/** The organization exceeded its request rate. The caller can retry after `retryAfterSeconds` seconds. */
export class RateLimitedError extends Schema.TaggedError<RateLimitedError>()(
  "RateLimitedError",
  { retryAfterSeconds: Schema.Number },
  HttpApiSchema.annotations({ status: 429, description: "The rate limit is exceeded" })
) {
  override get message(): string {
    return `The rate limit is exceeded: retry after ${this.retryAfterSeconds} seconds`
  }

  get status(): number {
    return statusOf(this)
  }
}

/** The body is larger than `limitBytes` bytes. */
export class PayloadTooLargeError extends Schema.TaggedError<PayloadTooLargeError>()(
  "PayloadTooLargeError",
  { message: Schema.String, limitBytes: Schema.Number },
  HttpApiSchema.annotations({ status: 413, description: "The request body is too large" })
) {
  get status(): number {
    return statusOf(this)
  }
}

/** An upstream provider that the request depends on failed or did not respond. */
export class ExternalServiceError extends Schema.TaggedError<ExternalServiceError>()(
  "ExternalServiceError",
  { provider: Schema.String, message: Schema.String },
  HttpApiSchema.annotations({ status: 502, description: "An upstream provider failed" })
) {
  get status(): number {
    return statusOf(this)
  }
}

/** A defect of the service. Its cause is logged, and never part of the response. */
export class InternalError extends Schema.TaggedError<InternalError>()(
  "InternalError",
  { message: Schema.String },
  HttpApiSchema.annotations({ status: 500, description: "An unexpected server error" })
) {
  get status(): number {
    return statusOf(this)
  }
}

/**
 * A dependency can't be reached, or the process is stopping. The same request may succeed after `retryAfterSeconds`.
 */
export class ServiceUnavailableError extends Schema.TaggedError<ServiceUnavailableError>()(
  "ServiceUnavailableError",
  { message: Schema.String, retryAfterSeconds: Schema.Number },
  HttpApiSchema.annotations({ status: 503, description: "A temporary outage" })
) {
  get status(): number {
    return statusOf(this)
  }
}

const errors = [
  BadRequestError,
  UnauthorizedError,
  SecondFactorRequiredError,
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

/** The union of all errors of the API. */
export const ApiError = Schema.Union(...errors).annotations({ identifier: "ApiError" })
export type ApiError = typeof ApiError.Type

export const isApiError = Schema.is(ApiError)

const statuses = new Map<string, number>(errors.map((error) => [error._tag, HttpApiSchema.getStatusError(error)]))

/** The HTTP status that the error's class declares. */
function statusOf({ _tag }: { readonly _tag: string }): number {
  return statuses.get(_tag) ?? 500
}
