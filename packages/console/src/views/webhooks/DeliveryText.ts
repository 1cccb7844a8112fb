import type { WebhookDelivery } from "../../app/Types.js"
import { durationText } from "../../components/Duration.js"

type Attempt = WebhookDelivery["attempts"][number]

/** The result of an attempt: `responded 200 after 12 ms`. */
export const attemptResult = ({ durationMs, error, responseStatus }: Attempt): string => {
  const result = responseStatus === undefined ? (error ?? "no response") : `responded ${responseStatus}`
  return `${result} after ${durationText(durationMs / 1_000)}`
}
