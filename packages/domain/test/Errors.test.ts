import { assert, describe, it } from "@effect/vitest"
import { ApiError, PaymentRequiredError, RateLimitedError, ResourceNotFoundError } from "@switchboard/domain/Errors"
import { Schema } from "effect"

describe("an error of the API", () => {
  it("has its HTTP status, which is not encoded", () => {
    const statuses = [
      { _tag: "BadRequestError", message: "m" },
      { _tag: "UnauthorizedError", message: "m" },
      { _tag: "SecondFactorRequiredError", message: "m" },
      { _tag: "PaymentRequiredError", resource: "messages", currentUsage: 10, limit: 10 },
      { _tag: "ForbiddenError", message: "m" },
      { _tag: "ResourceNotFoundError", resource: "message", id: "1" },
      { _tag: "ConflictError", message: "m", resource: "message" },
      { _tag: "PayloadTooLargeError", message: "m", limitBytes: 1 },
      { _tag: "ValidationError", message: "m", fields: { name: ["is required"] } },
      { _tag: "RateLimitedError", retryAfterSeconds: 7 },
      { _tag: "InternalError", message: "m" },
      { _tag: "ExternalServiceError", provider: "p", message: "m" },
      { _tag: "ServiceUnavailableError", message: "m", retryAfterSeconds: 1 }
    ].map((json) => {
      const error = Schema.decodeUnknownSync(ApiError)(json)
      assert.instanceOf(error, Error)
      assert.deepStrictEqual(JSON.parse(JSON.stringify(Schema.encodeSync(ApiError)(error))), json)
      return error.status
    })
    assert.deepStrictEqual(statuses, [400, 401, 401, 402, 403, 404, 409, 413, 422, 429, 500, 502, 503])
  })

  it("has a message, also without a field for it", () => {
    assert.strictEqual(
      new ResourceNotFoundError({ resource: "message", id: "1" }).message,
      "The message does not exist: 1"
    )
    assert.strictEqual(
      new PaymentRequiredError({ resource: "messages", currentUsage: 10, limit: 10 }).message,
      "The plan's limit of messages is reached: 10 of 10"
    )
    assert.strictEqual(
      new RateLimitedError({ retryAfterSeconds: 7 }).message,
      "The rate limit is exceeded: retry after 7 seconds"
    )
  })
})
