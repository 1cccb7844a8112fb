import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { addressDomain } from "@switchboard/domain/email/EmailAddress"
import type { Confirmation } from "@switchboard/domain/messages/delivery/Confirmation"
import { DateTime, Effect, Option } from "effect"
import type { SecretUnreadable } from "../../SecretBox.js"
import { SmsTransport } from "../../sms/SmsTransport.js"
import { ServiceWindowRepo } from "../../whatsapp/ServiceWindowRepo.js"
import { openUntil } from "../../whatsapp/ServiceWindows.js"
import { WhatsAppTransport } from "../../whatsapp/WhatsAppTransport.js"
import { type Envelopes, envelopeForEach, envelopesOf, type SendingChannel, type TakenOf } from "./DeliveryQueue.js"
import { DeliveryConfirmation, type MailRoute, MailTransport, type Routed } from "./MailTransport.js"
import { OutgoingMails } from "./OutgoingMails.js"
import type { ProviderReply, SendFailure } from "./Provider.js"
import { type Admission, type ProviderBreaker, ProviderBreakers } from "./ProviderBreaker.js"

/** The servers that take the messages to some recipients. */
export interface SendRoute<Channel extends SendingChannel> {
  /** The name of the provider in messages. */
  readonly provider: string
  /** The word for the servers in logs and errors. */
  readonly noun: string
  /** The error code of messages that wait while the servers can't be used. */
  readonly outageCode: string
  /** Host and port of the provider, for logs. */
  readonly address: string
  readonly breaker: ProviderBreaker
  /** Sends a message to the recipients of one envelope, if its lease holds when it can be sent. */
  readonly send: (
    message: TakenOf<Channel>,
    recipients: ReadonlyArray<string>,
    isHeld: () => boolean
  ) => Effect.Effect<ProviderReply, SendFailure | SecretUnreadable | ServiceUnavailableError>
}

/** How the messages of a channel are sent. */
export interface ChannelSender<Channel extends SendingChannel> {
  readonly confirmation: Confirmation
  /** The attempts that the circuit breakers admit now. */
  readonly admission: Effect.Effect<Admission>
  readonly envelopesOf: (message: TakenOf<Channel>) => Envelopes
  /** The routes to recipients. Each recipient is in exactly one. */
  readonly routesTo: (
    message: TakenOf<Channel>,
    recipients: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<Routed<SendRoute<Channel>>>>
}

/** A sender with one route, which sends each recipient a message of its own. */
const overOneRoute = <Channel extends SendingChannel>(
  route: SendRoute<Channel>
): Effect.Effect<ChannelSender<Channel>> =>
  Effect.as(route.breaker.report, {
    confirmation: "receipt",
    admission: route.breaker.peek,
    envelopesOf: ({ state }) => envelopeForEach(state),
    routesTo: (_, recipients) => Effect.succeed([{ route, recipients }])
  })

/** The domain of a sender, which may have a display name. */
const senderDomain = (from: string) => addressDomain(from).replace(/>\s*$/, "")

/** Sends mail over SMTP. */
export const mailSender = Effect.gen(function* () {
  const transport = yield* MailTransport
  const mails = yield* OutgoingMails

  const overRoute = ({ send, ...route }: MailRoute): SendRoute<"email"> => ({
    ...route,
    outageCode: `${route.noun}_unavailable`,
    send: (message, recipients, isHeld) =>
      Effect.flatMap(mails.outgoing(message, recipients), (mail) =>
        send(mail, { organizationId: message.organizationId, isHeld })
      )
  })

  const sender: ChannelSender<"email"> = {
    confirmation: yield* DeliveryConfirmation,
    admission: transport.admission,
    envelopesOf,
    routesTo: ({ content }, recipients) =>
      Effect.map(transport.routesTo(senderDomain(content.from), recipients), (routed) =>
        routed.map(({ route, recipients: own }) => ({ route: overRoute(route), recipients: own }))
      )
  }
  return sender
})

/** Sends text messages, one to each recipient. Recipients that were not attempted yet go first. */
export const smsSender = Effect.gen(function* () {
  const transport = yield* SmsTransport
  const route: SendRoute<"sms"> = {
    provider: transport.provider,
    noun: "provider of text messages",
    outageCode: "provider_unavailable",
    address: transport.address,
    breaker: (yield* ProviderBreakers).sms,
    send: ({ content, messageId, organizationId }, [to = ""], isHeld) =>
      transport.send({ messageId, from: content.from, to, text: content.text }, { organizationId, isHeld })
  }
  return yield* overOneRoute(route)
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
  const route: SendRoute<"whatsapp"> = {
    provider: "whatsapp",
    noun: "WhatsApp provider",
    outageCode: "provider_unavailable",
    address: transport.address,
    breaker: (yield* ProviderBreakers).whatsapp,
    send: ({ attachments: [file], content, messageId, organizationId }, [to = ""], isHeld) =>
      Effect.gen(function* () {
        if (content.template === undefined) {
          const window = openUntil(yield* windows.findByAddress(organizationId, to), yield* DateTime.now)
          if (Option.isNone(window)) return windowClosed(to)
        }
        return yield* transport.send({ messageId, to, content, file }, { organizationId, isHeld })
      })
  }
  return yield* overOneRoute(route)
})
