import type { MessageId } from "@switchboard/domain/messages/Message"
import { Context, type Effect, Layer } from "effect"
import { ProviderUnavailable, type Sending, type SendLease } from "../messages/delivery/Provider.js"

/** A text message to hand over to the provider, for one recipient. */
export interface OutgoingSms {
  readonly messageId: MessageId
  /** A number (E.164), a short code, or an alphanumeric sender id. */
  readonly from: string
  /** E.164. */
  readonly to: string
  readonly text: string
}

/** Sends text messages over the configured provider. */
export class SmsTransport extends Context.Tag("services/SmsTransport")<
  SmsTransport,
  {
    /** The name of the provider in messages: `smpp` or `twilio`. */
    readonly provider: string
    /** Host and port, for logs and metrics. */
    readonly address: string
    /**
     * Sends a text, if its lease holds when it can be sent. The reply has one entry, with the provider's ids of all
     * segments.
     */
    readonly send: (sms: OutgoingSms, lease: SendLease) => Sending
    /** Connects and authenticates (for `doctor`). */
    readonly probe: Effect.Effect<void, ProviderUnavailable>
  }
>() {}

const notConfigured = new ProviderUnavailable({ response: "No provider of text messages is set: set SMS_URL" })

/** No provider: text messages wait until one is set. */
export const NoSmsTransport = Layer.succeed(SmsTransport, {
  provider: "none",
  address: "none",
  send: () => notConfigured,
  probe: notConfigured
})
