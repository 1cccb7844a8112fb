import { timingSafeEqual } from "node:crypto"
import type { RecipientReply } from "@switchboard/domain/messages/delivery/DeliveryOutcome"
import {
  ProviderUnavailable,
  SendDeferred,
  type SendFailure,
  type Sending,
  SendWithdrawn
} from "@switchboard/services/messages/delivery/Provider"
import { Duration, Effect } from "effect"
import { storableText } from "../StorableText.js"
import type { NoResponse } from "./HttpExchange.js"

/** The wait for a connection and a complete response. */
export const defaultProviderTimeout = Duration.seconds(30)

/** The length of the response of an error that is stored, in characters. */
export const maxResponse = 255

/** Compares a signature in constant time. */
export const isEqual = (one: string, other: string): boolean => {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** The failure of a request without a complete response. `sends` if it sends a message, so that a repeat is a second one. */
export const withoutReply =
  (sends: boolean) =>
  ({ isWritten, message, reason }: NoResponse): SendFailure => {
    if (reason === "Withdrawn") return new SendWithdrawn()
    const response = storableText(message, maxResponse)
    return isWritten
      ? new SendDeferred({ smtpCode: null, response, isSilent: reason === "Timeout", mayBeTaken: sends })
      : new ProviderUnavailable({ response })
  }

/** The result of a send to one recipient. `response` is the text that accepts it. */
export const replied = (reply: RecipientReply): Sending =>
  Effect.succeed({
    replies: [reply],
    response: reply.verdict === "accepted" ? (reply.response ?? null) : null,
    providerMessageId: reply.providerMessageIds?.[0] ?? null
  })

/**
 * The result of a response without an error code of the provider. A redirect or a 4xx is of something between this host
 * and the API: nothing was taken.
 */
export const unknownReply = (status: number, response: string, sends: boolean): Sending =>
  status >= 300 && status < 500
    ? new ProviderUnavailable({ response })
    : new SendDeferred({ smtpCode: null, response, isSilent: true, mayBeTaken: sends })
