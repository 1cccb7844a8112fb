import type { HttpClientResponse } from "@effect/platform"
import { Duration } from "effect"

/** How long an answer asks to wait; a second if it does not say. */
export const retryAfterOf = ({ headers }: HttpClientResponse.HttpClientResponse): Duration.Duration => {
  const seconds = Number(headers["retry-after"])
  return Duration.seconds(seconds > 0 ? seconds : 1)
}
