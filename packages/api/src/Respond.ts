import { HttpServerResponse } from "@effect/platform"
import { Schema } from "effect"
import { statusOf, WireError } from "./Wire.js"

/**
 * Answers a value of the schema. What handlers answer is ours: that it does not encode is a defect, never the
 * caller's fault.
 */
export const respond = <A, I>(schema: Schema.Schema<A, I>, status = 200) => {
  const encode = Schema.encodeSync(schema)
  return (value: A, headers: Readonly<Record<string, string>> = {}) =>
    HttpServerResponse.unsafeJson(encode(value), { status, headers })
}

const encodeError = Schema.encodeSync(WireError)

/** The flat tagged body of an error, with its status and when to come again. */
export const errorAnswer = (error: WireError) => ({
  body: encodeError(error),
  status: statusOf(error),
  headers: "retryAfterSeconds" in error ? { "retry-after": String(error.retryAfterSeconds) } : {}
})

/** The answer to a request that comes to an error. */
export const respondError = (error: WireError) => {
  const { body, headers, status } = errorAnswer(error)
  return HttpServerResponse.unsafeJson(body, { status, headers })
}
