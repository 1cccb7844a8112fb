import type { HttpClientResponse } from "@effect/platform"
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
