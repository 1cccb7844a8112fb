import type { RecipientReply } from "@switchboard/domain/messages/delivery/DeliveryOutcome"
import {
  MailDeferred,
  type MailReceipt,
  MailRefused,
  type OutgoingMail,
  RelayUnavailable
} from "@switchboard/services/messages/delivery/MailTransport"
import { Effect } from "effect"
import { outageCodes, type SmtpReceipt } from "../smtp/client/SendTransaction.js"
import type { SmtpEnvelope } from "../smtp/client/SmtpEnvelope.js"
import { failureResponse, mayBeAccepted, type SmtpFailure, type SmtpStage } from "../smtp/client/SmtpFailure.js"
import type { SmtpPool } from "../smtp/client/SmtpPool.js"
import type { SmtpReply } from "../smtp/client/SmtpReply.js"
import { queuedAs } from "./QueuedAs.js"

/** The stages at which a failure concerns one mail. An earlier failure is an outage of the relay. */
const transactionStages: ReadonlySet<SmtpStage> = new Set(["MAIL", "RCPT", "DATA", "mail data", "dot"])

const recipientReply = (recipient: string, { code, text }: SmtpReply, accepted: SmtpReply | null): RecipientReply =>
  code < 400
    ? { recipient, verdict: "accepted", smtpCode: accepted?.code ?? code, response: accepted?.text ?? text }
    : { recipient, verdict: code < 500 ? "deferred" : "refused", smtpCode: code, response: text }

const mailReceipt = ({ rcptTo }: SmtpEnvelope, { accepted, recipients }: SmtpReceipt): MailReceipt => ({
  replies: recipients.map((reply, index) => recipientReply(rcptTo[index] ?? "", reply, accepted)),
  response: accepted?.text ?? null,
  providerMessageId: accepted === null ? null : queuedAs(accepted.text)
})

const mailFailure = (failure: SmtpFailure): MailRefused | MailDeferred | RelayUnavailable => {
  const { cause, reply, stage } = failure
  const response = failureResponse(failure)
  const smtpCode = reply?.code ?? null
  if (!transactionStages.has(stage) || (smtpCode !== null && outageCodes.has(smtpCode))) {
    return new RelayUnavailable({ response })
  }
  return cause === "unsendable" || (smtpCode !== null && smtpCode >= 500)
    ? new MailRefused({ smtpCode, response })
    : new MailDeferred({ smtpCode, response, isSilent: cause === "timeout", mayBeTaken: mayBeAccepted(failure) })
}

/** The SMTP envelope of a mail, with its delivery status notification options (RFC 3461). */
export const smtpEnvelope = ({ envelopeId, mailFrom, notify, rcptTo }: OutgoingMail): SmtpEnvelope => ({
  mailFrom,
  rcptTo,
  dsn: { envelopeId, notify }
})

/** Sends a mail. Interruption removes it from the queue, or closes its connection if the transaction has begun. */
export const sendOverSmtp = (
  pool: SmtpPool,
  envelope: SmtpEnvelope,
  octets: Uint8Array
): Effect.Effect<MailReceipt, MailRefused | MailDeferred | RelayUnavailable> =>
  Effect.async((resume) => {
    const cancel = pool.send(envelope, octets, (result) =>
      resume("stage" in result ? mailFailure(result) : Effect.succeed(mailReceipt(envelope, result)))
    )
    return Effect.sync(cancel)
  })
