import { MailboxText } from "@switchboard/domain/email/EmailAddress"
import { isOpen } from "@switchboard/domain/messages/Delivery"
import { Effect, Schema } from "effect"
import { Signatures } from "../Signatures.js"
import { DeliveryConfirmation } from "./DeliveryConfirmation.js"
import type { TakenMessage } from "./DeliveryQueue.js"
import { formatFeedbackId } from "./FeedbackId.js"
import type { OutgoingMail } from "./MailTransport.js"

const decodeMailbox = Schema.decodeSync(MailboxText)

/** Writes the mail of a message, the same at every attempt but for who still waits for it. */
export class OutgoingMails extends Effect.Service<OutgoingMails>()("services/OutgoingMails", {
  effect: Effect.gen(function* () {
    const signatures = yield* Signatures
    const confirmation = yield* DeliveryConfirmation

    const outgoing = ({ addressing, attachments, content, createdAt, ...message }: TakenMessage): OutgoingMail => {
      const from = decodeMailbox(content.from)
      return {
        mailFrom: from.address,
        rcptTo: message.state.deliveries.filter(isOpen).map(({ recipient }) => recipient),
        envelopeId: message.messageId,
        notify: confirmation === "dsn",
        messageId: addressing.messageId,
        date: createdAt,
        from,
        to: addressing.to,
        cc: addressing.cc,
        replyTo: content.replyTo,
        subject: content.subject,
        html: content.html,
        text: content.text,
        headers: { ...addressing.headers, "Feedback-ID": formatFeedbackId(signatures, message) },
        attachments
      }
    }

    return { outgoing } as const
  })
}) {}
