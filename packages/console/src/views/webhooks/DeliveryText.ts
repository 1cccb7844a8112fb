import type { WebhookDelivery } from "../../app/Types.js"
import { durationText } from "../../components/Duration.js"

export type Attempt = WebhookDelivery["attempts"][number]

/** A body with line breaks if it is JSON, otherwise as it is. */
export const bodyText = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

/** The result of an attempt: `responded 200 after 12 ms`. */
export const attemptResult = ({ durationMs, error, responseStatus }: Attempt): string => {
  const result = responseStatus === undefined ? (error ?? "no response") : `responded ${responseStatus}`
  return `${result} after ${durationText(durationMs / 1_000)}`
}
