import { HttpApiSchema } from "@effect/platform"
import {
  BadRequestError,
  ConflictError,
  ExternalServiceError,
  ForbiddenError,
  InternalError,
  PayloadTooLargeError,
  PaymentRequiredError,
  RateLimitedError,
  ResourceNotFoundError,
  ServiceUnavailableError,
  UnauthorizedError,
  ValidationError
} from "@switchboard/domain/Errors"
import { Schema } from "effect"

/** The answer to a removal. */
export const Removed = Schema.Struct({ success: Schema.Literal(true) }).annotations({ identifier: "Removed" })
export const removed: typeof Removed.Type = { success: true }

/** The body of an operation that needs to be told nothing: `{}`, or none at all. */
export const NoFields = Schema.Record({ key: Schema.String, value: Schema.Unknown })
  .pipe(
    Schema.filter((given) => Object.keys(given).map((field) => ({ path: [field], message: "is not a known field" })))
  )
  .annotations({
    identifier: "NoFields",
    jsonSchema: { type: "object", required: [], properties: {}, additionalProperties: false }
  })

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

/** Every error that an answer can carry: flat, told apart by `_tag`. */
export const WireError = Schema.Union(...errors).annotations({ identifier: "WireError" })
export type WireError = typeof WireError.Type

export const isWireError = Schema.is(WireError)

const statuses = new Map<string, number>(errors.map((error) => [error._tag, HttpApiSchema.getStatusError(error)]))

/** The HTTP status of an error, as it stands on its class. */
export const statusOf = (error: WireError): number => statuses.get(error._tag) ?? 500
