import { HttpClient, type HttpClientRequest, type HttpClientResponse } from "@effect/platform"
import { Clock, Duration, Effect } from "effect"

const defaultWait = Duration.seconds(1)

/** Seconds, or a date that ends in GMT (RFC 9110 section 10.2.3). */
const secondsOf = (text: string, now: number): number => {
  if (/^\d+$/.test(text)) return Number(text)
  return text.endsWith(" GMT") ? (Date.parse(text) - now) / 1_000 : Number.NaN
}

/** The wait that a response requests with `Retry-After`; one second if it requests none. */
export const retryAfterOf = ({ headers }: HttpClientResponse.HttpClientResponse): Effect.Effect<Duration.Duration> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const seconds = secondsOf(headers["retry-after"] ?? "", now)
    return seconds > 0 ? Duration.seconds(seconds) : defaultWait
  })

/** How often a request is retried by default. */
export const defaultRetries = 2

/** The maximum wait for a retry. If the service requests a longer one, the call fails at once. */
const maxRetryAfter = Duration.minutes(1)

const tooManyRequests = 429
const serviceUnavailable = 503

/** RFC 9110 section 9.2.2. */
const idempotentMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"])

export const idempotencyKeyHeader = "idempotency-key"

/** Whether a repetition has no further effect, because of the method or of an idempotency key. */
const isIdempotent = ({ headers, method }: HttpClientRequest.HttpClientRequest) =>
  idempotentMethods.has(method) || headers[idempotencyKeyHeader] !== undefined

/** Whether a retry is safe. A 429 was not processed; with a 503, the request may have been. */
const isRetryable = (request: HttpClientRequest.HttpClientRequest, { status }: HttpClientResponse.HttpClientResponse) =>
  status === tooManyRequests || (status === serviceUnavailable && isIdempotent(request))

/**
 * Retries a 429 and, if the request is idempotent, a 503, after the wait that the response requests. The last response
 * is returned.
 */
export const withRetries = (http: HttpClient.HttpClient, retries: number): HttpClient.HttpClient =>
  HttpClient.transform(http, (send, request) => {
    const attempt = (left: number): typeof send =>
      Effect.gen(function* () {
        const response = yield* send
        if (left <= 0 || !isRetryable(request, response)) return response
        const wait = yield* retryAfterOf(response)
        if (Duration.greaterThan(wait, maxRetryAfter)) return response
        // Reading the body to its end releases the connection.
        yield* Effect.zip(Effect.sleep(wait), Effect.ignore(response.arrayBuffer), { concurrent: true })
        return yield* attempt(left - 1)
      })
    return attempt(retries)
  })
