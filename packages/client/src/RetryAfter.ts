import type { HttpClientResponse } from "@effect/platform"
import { Duration } from "effect"

/** The wait that a response requests with `Retry-After`; one second without the header. */
export const retryAfterOf = ({ headers }: HttpClientResponse.HttpClientResponse): Duration.Duration => {
  const seconds = Number(headers["retry-after"])
  return Duration.seconds(seconds > 0 ? seconds : 1)
}
