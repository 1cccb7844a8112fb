import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { type Confirmation, smtpProvider } from "@switchboard/domain/messages/delivery/Confirmation"
import { DateTime, Effect, Option } from "effect"
import type { SecretUnreadable } from "../../SecretBox.js"
import { SmsTransport } from "../../sms/SmsTransport.js"
import { ServiceWindowRepo } from "../../whatsapp/ServiceWindowRepo.js"
import { openUntil } from "../../whatsapp/ServiceWindows.js"
import { WhatsAppTransport } from "../../whatsapp/WhatsAppTransport.js"
import { type Envelopes, envelopeForEach, envelopesOf, type SendingChannel, type TakenOf } from "./DeliveryQueue.js"
import { DeliveryConfirmation, MailTransport } from "./MailTransport.js"
import { OutgoingMails } from "./OutgoingMails.js"
import type { ProviderReply, SendFailure } from "./Provider.js"
import { type ProviderBreaker, ProviderBreakers } from "./ProviderBreaker.js"

/** How the messages of a channel are sent. */
export interface ChannelSender<Channel extends SendingChannel> {
  /** The name of the provider in messages. */
  readonly provider: string
  /** The provider's host and port, for logs. */
  readonly address: string
  /** The word for the provider in logs and errors. */
  readonly noun: string
  /** The error code of messages that wait while the provider can't be used. */
  readonly outageCode: string
  readonly confirmation: Confirmation
  readonly breaker: ProviderBreaker
  readonly envelopesOf: (message: TakenOf<Channel>) => Envelopes
  /** Sends a message to the recipients of one envelope, if its lease holds when it can be sent. */
  readonly send: (
    message: TakenOf<Channel>,
    recipients: ReadonlyArray<string>,
    isHeld: () => boolean
  ) => Effect.Effect<ProviderReply, SendFailure | SecretUnreadable | ServiceUnavailableError>
}

/** Sends mail over the relay. */
export const mailSender = Effect.gen(function* () {
  const transport = yield* MailTransport
  const mails = yield* OutgoingMails
  const sender: ChannelSender<"email"> = {
    provider: smtpProvider,
    address: transport.relay,
    noun: "relay",
    outageCode: "relay_unavailable",
    confirmation: yield* DeliveryConfirmation,
    breaker: (yield* ProviderBreakers).email,
    envelopesOf,
    send: (message, recipients, isHeld) =>
      Effect.flatMap(mails.outgoing(message, recipients), (mail) =>
        transport.send(mail, { organizationId: message.organizationId, isHeld })
      )
  }
  return sender
})

/** Sends text messages, one to each recipient. Recipients that were not attempted yet go first. */
export const smsSender = Effect.gen(function* () {
  const transport = yield* SmsTransport
  const sender: ChannelSender<"sms"> = {
    provider: transport.provider,
    address: transport.address,
    noun: "provider of text messages",
    outageCode: "provider_unavailable",
    confirmation: "receipt",
    breaker: (yield* ProviderBreakers).sms,
    envelopesOf: ({ state }) => envelopeForEach(state),
    send: ({ content, messageId, organizationId }, [to = ""], isHeld) =>
      transport.send({ messageId, from: content.from, to, text: content.text }, { organizationId, isHeld })
  }
  return sender
})

/** The result for a recipient whose service window closed since the message was accepted. */
const windowClosed = (recipient: string): ProviderReply => ({
  replies: [
    {
      recipient,
      verdict: "refused",
      code: "window_closed",
      response: "The service window closed before the message was sent",
      reason: "policy"
    }
  ],
  response: null,
  providerMessageId: null
})

/** Sends WhatsApp messages. Anything but a template needs an open service window. */
export const whatsappSender = Effect.gen(function* () {
  const transport = yield* WhatsAppTransport
  const windows = yield* ServiceWindowRepo
  const sender: ChannelSender<"whatsapp"> = {
    provider: "whatsapp",
    address: transport.address,
    noun: "WhatsApp provider",
    outageCode: "provider_unavailable",
    confirmation: "receipt",
    breaker: (yield* ProviderBreakers).whatsapp,
    envelopesOf: ({ state }) => envelopeForEach(state),
    send: ({ attachments: [file], content, messageId, organizationId }, [to = ""], isHeld) =>
      Effect.gen(function* () {
        if (content.template === undefined) {
          const window = openUntil(yield* windows.findByAddress(organizationId, to), yield* DateTime.now)
          if (Option.isNone(window)) return windowClosed(to)
        }
        return yield* transport.send({ messageId, to, content, file }, { organizationId, isHeld })
      })
  }
  return sender
})
