import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { isLocalDomain, localDomain } from "@switchboard/domain/email/domains/DomainRecords"
import { addressDomain, type Mailbox, MailboxText } from "@switchboard/domain/email/EmailAddress"
import type { Tracking } from "@switchboard/domain/email/tracking/Tracking"
import type { EmailContent } from "@switchboard/domain/messages/Message"
import { Effect, Option, Schema } from "effect"
import { type SigningKey, SigningKeys } from "../../email/domains/SigningKeys.js"
import { signedContent, unsignedContent } from "../../email/send/SignedLinks.js"
import { unsubscribeHeaders } from "../../email/send/Unsubscribes.js"
import { trackedHtml } from "../../email/tracking/TrackedHtml.js"
import { trackingUrl } from "../../email/tracking/TrackingLinks.js"
import { logThrottled } from "../../LogThrottle.js"
import { PublicUrl } from "../../PublicUrl.js"
import { type SecretUnreadable, Signatures } from "../../SecretBox.js"
import { firstEnvelope, isMarketing, isTracked, type TakenOf } from "./DeliveryQueue.js"
import { DeliveryConfirmation, type OutgoingMail, RemoteRelay, type SubmittedContent } from "./MailTransport.js"
import { formatFeedbackId, replyAddress, returnPath } from "./SignedReferences.js"

const decodeMailbox = Schema.decodeSync(MailboxText)

/**
 * Whether replies go to a signed reply address if the domain receives mail: always, unless the request has a Reply-To.
 */
const comesBack = ({ replyTo, replyToOfSender = false }: EmailContent) => replyTo.length === 0 || replyToOfSender

const listUnsubscribe = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === "list-unsubscribe")?.[1] ?? ""

type MailContent = ReturnType<typeof unsignedContent>

/** The parts of a message that its mails are made from. */
interface MailSource
  extends Pick<
    TakenOf<"email">,
    | "addressing"
    | "attachments"
    | "categories"
    | "content"
    | "createdAt"
    | "dueSince"
    | "messageId"
    | "organizationId"
    | keyof Tracking
  > {
  readonly state: Pick<TakenOf<"email">["state"], "deliveries">
}

/**
 * Composes the mails of a message. They are the same at every attempt, except for the remaining recipients and the DKIM
 * key.
 */
export class OutgoingMails extends Effect.Service<OutgoingMails>()("services/OutgoingMails", {
  effect: Effect.gen(function* () {
    const signatures = yield* Signatures
    const confirmation = yield* DeliveryConfirmation
    const publicUrl = yield* PublicUrl
    const { signingKeyOf } = yield* SigningKeys
    const isRemote = yield* RemoteRelay

    /** Links of this service, with tokens of their own, and the ones of the header `List-Unsubscribe`. */
    const isExempt = (listUnsubscribe: string) => {
      const own = `${publicUrl}/v1/`
      return (target: string) => target.startsWith(own) || listUnsubscribe.includes(`<${target}>`)
    }

    /** Tracks the HTML of a mail with one recipient, whom its pixel and its links identify. Null if it is not tracked. */
    const tracker = (
      {
        messageId,
        organizationId,
        state,
        ...message
      }: Omit<MailSource, "addressing" | "attachments" | "createdAt" | "dueSince">,
      [recipient]: ReadonlyArray<string>,
      trackingDomain: string | null
    ): SubmittedContent["trackHtml"] =>
      isTracked(message)
        ? (html, listUnsubscribe) =>
            trackedHtml(html, {
              signatures,
              baseUrl: trackingUrl(publicUrl, trackingDomain),
              mail: {
                messageId,
                organizationId,
                place: state.deliveries.findIndex((delivery) => delivery.recipient === recipient)
              },
              tracking: message,
              isExempt: isExempt(listUnsubscribe)
            })
        : null

    const compose = (
      { addressing, attachments, createdAt: _, dueSince, ...message }: MailSource,
      { headers, html, text }: MailContent,
      recipients: ReadonlyArray<string>,
      from: Mailbox,
      key: Option.Option<SigningKey>
    ): OutgoingMail => {
      const { content } = message
      const octets = addressing.submitted ? attachments[0]?.content : undefined
      const domain = addressDomain(from.address)
      // A degraded domain may have lost the records of its return path.
      const hasReturnPath = Option.exists(key, ({ isVerified }) => isVerified)
      const trackHtml = tracker(
        message,
        recipients,
        Option.getOrNull(Option.flatMapNullable(key, ({ trackingDomain }) => trackingDomain))
      )
      return {
        mailFrom: hasReturnPath ? returnPath.make(signatures, { messageId: message.messageId, domain }) : from.address,
        rcptTo: recipients,
        envelopeId: message.messageId,
        notify: confirmation === "dsn",
        // The same for all recipients: the mails are copies of one message (RFC 5322 section 3.6.4), and so is the
        // parent of a reply.
        messageId: addressing.messageId,
        // The time at which the message enters delivery (RFC 5322 section 3.6.1), the same at every attempt.
        date: dueSince,
        from,
        to: isMarketing(message) ? recipients : addressing.to,
        cc: isMarketing(message) ? [] : addressing.cc,
        names: addressing.names ?? {},
        replyTo: [
          ...(comesBack(content) && Option.exists(key, ({ receives }) => receives)
            ? [{ address: replyAddress.make(signatures, { messageId: message.messageId, domain }) }]
            : []),
          ...content.replyTo.map((text) => decodeMailbox(text))
        ],
        subject: content.subject,
        html: trackHtml === null || octets !== undefined ? html : trackHtml(html, listUnsubscribe(headers)),
        text,
        headers: {
          ...(octets === undefined ? headers : {}),
          ...unsubscribeHeaders(signatures, publicUrl, message, recipients, { domain, hasReturnPath, headers }),
          "Feedback-ID": formatFeedbackId(signatures, message, message.categories)
        },
        submitted: octets === undefined ? null : { octets, trackHtml },
        needsSmtpUtf8: addressing.smtpUtf8 ?? false,
        attachments,
        // The local domain publishes no key: a signature could not be verified and would cost a millisecond.
        dkim:
          Option.isSome(key) && domain !== localDomain
            ? { domain, selector: key.value.selector, privateKey: key.value.privateKey }
            : null
      }
    }

    const keyOf = (message: MailSource, from: Mailbox) =>
      signingKeyOf(message.organizationId, addressDomain(from.address), message.createdAt)

    /** Warns of mail from the local domain to receivers, who refuse it or can't reply. */
    const warnOfLocalDomain = ({ messageId, organizationId }: MailSource) =>
      logThrottled(
        "mail from the local domain",
        Effect.annotateLogs(
          Effect.logWarning(
            `Mail from ${localDomain} leaves over the relay: its receivers refuse it or can't reply. Add a domain and set a default sender; "switchboard doctor" lists the organizations`
          ),
          { messageId, organizationId }
        )
      )

    /** The mail of one envelope (`envelopesOf`). */
    const outgoing = (
      message: MailSource,
      recipients: ReadonlyArray<string>
    ): Effect.Effect<OutgoingMail, SecretUnreadable | ServiceUnavailableError> => {
      const content = signedContent(signatures, message)
      const from = decodeMailbox(message.content.from)
      const composed = Effect.map(keyOf(message, from), (key) => compose(message, content, recipients, from, key))
      return isRemote && isLocalDomain(addressDomain(from.address))
        ? Effect.zipLeft(composed, warnOfLocalDomain(message))
        : composed
    }

    /** The first mail of a message to show to a reader of messages, who can't confirm a sender's address with it. */
    const shown = (message: MailSource): Effect.Effect<OutgoingMail, SecretUnreadable | ServiceUnavailableError> => {
      const from = decodeMailbox(message.content.from)
      return Effect.map(keyOf(message, from), (key) =>
        compose(message, unsignedContent(message), firstEnvelope(message), from, key)
      )
    }

    return { outgoing, shown } as const
  })
}) {}
