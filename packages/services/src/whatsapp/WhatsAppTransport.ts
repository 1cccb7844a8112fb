import type { MessageId } from "@switchboard/domain/messages/Message"
import type { WhatsAppContent } from "@switchboard/domain/whatsapp/WhatsAppContent"
import { Context, type Effect, Layer } from "effect"
import { ProviderUnavailable, type Sending, type SendLease } from "../messages/delivery/Provider.js"
import type { StoredAttachment } from "../messages/MessageRepo.js"

/** A WhatsApp message to hand over to the provider. */
export interface OutgoingWhatsApp {
  readonly messageId: MessageId
  /** E.164. */
  readonly to: string
  /** Has one of text, template and media. */
  readonly content: WhatsAppContent
  /** The file of media. */
  readonly file: StoredAttachment | undefined
}

/** Sends WhatsApp messages over the Cloud API or the local handset. */
export class WhatsAppTransport extends Context.Tag("services/WhatsAppTransport")<
  WhatsAppTransport,
  {
    /** Host and port, for logs and metrics. */
    readonly address: string
    /** Sends a message, if its lease holds when it can be sent. The reply has one entry, with the provider's id. */
    readonly send: (message: OutgoingWhatsApp, lease: SendLease) => Sending
    /** Reads the phone number with its credentials (for `doctor`). Succeeds with the displayed number. */
    readonly probe: Effect.Effect<string, ProviderUnavailable>
  }
>() {}

const notConfigured = new ProviderUnavailable({ response: "No WhatsApp provider is set: set WHATSAPP_TOKEN" })

/** No provider: WhatsApp messages wait until one is set. */
export const NoWhatsAppTransport = Layer.succeed(WhatsAppTransport, {
  address: "none",
  send: () => notConfigured,
  probe: notConfigured
})
