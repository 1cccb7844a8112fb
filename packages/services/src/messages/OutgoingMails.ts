import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { addressDomain, MailboxText } from "@switchboard/domain/email/EmailAddress"
import { isOpen } from "@switchboard/domain/messages/Delivery"
import { Effect, Option, Schema } from "effect"
import { SigningKeys } from "../email/domains/SigningKeys.js"
import { trackedHtml } from "../email/opens/TrackedHtml.js"
import { unsubscribeHeaders } from "../email/send/UnsubscribeHeaders.js"
import { signedContent } from "../email/senders/ConfirmationToken.js"
import { PublicUrl } from "../PublicUrl.js"
import type { SecretUnreadable } from "../SecretBox.js"
import { Signatures } from "../Signatures.js"
import { DeliveryConfirmation } from "./DeliveryConfirmation.js"
import type { TakenMessage } from "./DeliveryQueue.js"
import { formatFeedbackId } from "./FeedbackId.js"
import type { OutgoingMail } from "./MailTransport.js"
import { replyAddress } from "./ReplyAddress.js"
import { returnPath } from "./ReturnPath.js"

const decodeMailbox = Schema.decodeSync(MailboxText)

/** Writes the mail of a message, the same at every attempt but for who still waits for it and the key of its domain. */
export class OutgoingMails extends Effect.Service<OutgoingMails>()("services/OutgoingMails", {
  effect: Effect.gen(function* () {
    const signatures = yield* Signatures
    const confirmation = yield* DeliveryConfirmation
    const publicUrl = yield* PublicUrl
    const { signingKeyOf } = yield* SigningKeys

    /** All recipients of a message get the same mail, and its image tells of one. */
    const tracked = (
      {
        messageId,
        organizationId,
        state,
        trackOpens
      }: Pick<TakenMessage, "messageId" | "organizationId" | "state" | "trackOpens">,
      html: string
    ) =>
      trackOpens && state.deliveries.length === 1
        ? trackedHtml(signatures, publicUrl, html, { messageId, organizationId, place: 0 })
        : html

    const outgoing = ({
      addressing,
      attachments,
      content,
      createdAt,
      ...message
    }: TakenMessage): Effect.Effect<OutgoingMail, SecretUnreadable | ServiceUnavailableError> => {
      const from = decodeMailbox(content.from)
      const { headers, html, text } = signedContent(signatures, { addressing, content, ...message })
      const domain = addressDomain(from.address)
      return Effect.map(
        signingKeyOf(message.organizationId, domain),
        (key): OutgoingMail => ({
          // What is merely tolerated may have lost its return path: nobody takes mail from where none can go back.
          mailFrom:
            Option.isSome(key) && key.value.isVerified
              ? returnPath(signatures, message.messageId, domain)
              : from.address,
          rcptTo: message.state.deliveries.filter(isOpen).map(({ recipient }) => recipient),
          envelopeId: message.messageId,
          notify: confirmation === "dsn",
          messageId: addressing.messageId,
          date: createdAt,
          from,
          to: addressing.to,
          cc: addressing.cc,
          replyTo:
            content.replyTo.length === 0 && Option.exists(key, ({ receives }) => receives)
              ? [replyAddress(signatures, message.messageId, domain)]
              : content.replyTo,
          subject: content.subject,
          html: tracked(message, html),
          text,
          headers: {
            ...headers,
            ...unsubscribeHeaders(signatures, publicUrl, message),
            "Feedback-ID": formatFeedbackId(signatures, message)
          },
          attachments,
          dkim: Option.getOrNull(Option.map(key, ({ privateKey, selector }) => ({ domain, selector, privateKey })))
        })
      )
    }

    return { outgoing } as const
  })
}) {}
