import type { RecipientReply } from "@switchboard/domain/messages/delivery/DeliveryOutcome"
import { reasonOfReply } from "@switchboard/domain/messages/delivery/FailureReason"
import {
  MailDeferred,
  type MailLease,
  type MailReceipt,
  MailRefused,
  MailWithdrawn,
  type OutgoingMail,
  RelayUnavailable
} from "@switchboard/services/messages/delivery/MailTransport"
import { inSlices } from "@switchboard/services/NextTurn"
import { Effect } from "effect"
import { mailData, type SmtpEnvelope } from "../smtp/client/SmtpMail.js"
import type { SmtpLease, SmtpPool } from "../smtp/client/SmtpPool.js"
import {
  failureResponse,
  mayBeAccepted,
  type SmtpFailure,
  type SmtpReply,
  type SmtpStage
} from "../smtp/client/SmtpReply.js"
import { outageCodes, type SmtpMail, type SmtpReceipt } from "../smtp/client/SmtpSession.js"

/** Patterns of the queue id in the reply to the final dot, which no standard defines. */
const patterns = [
  // Postfix, Haraka
  /\bqueued as <?([\w.+=-]+)/i,
  // Exim
  /\bid=<?([\w.@-]+)/i,
  // Exchange, Microsoft 365
  /^250 2\.6\.0 <([^<>\s]+)>/,
  // Sendmail
  /^250 2\.0\.0 (\w+) Message accepted for delivery/,
  // Google
  /\s([\w.-]+) - gsmtp$/,
  // Amazon SES
  /^250 Ok ([\da-f-]{16,})$/i
]

/** The server's queue id of an accepted mail; null if its reply has none. */
export const queuedAs = (reply: string): string | null => {
  for (const pattern of patterns) {
    const queueId = pattern.exec(reply)?.[1]
    if (queueId !== undefined) return queueId
  }
  return null
}

/** The stages at which a failure concerns one mail. An earlier failure is an outage of the relay. */
const transactionStages: ReadonlySet<SmtpStage> = new Set(["MAIL", "RCPT", "DATA", "mail data", "dot"])

/** Whether the transaction has too many recipients, which is not about this one (RFC 5321 section 4.5.3.1.10). */
const exceedsLimit = ({ code, text }: SmtpReply): boolean =>
  code >= 400 && reasonOfReply({ smtpCode: code, response: text }) === "too_many_recipients"

const recipientReply = (recipient: string, reply: SmtpReply, accepted: SmtpReply | null): RecipientReply => {
  const { code, text } = reply
  return code < 400
    ? { recipient, verdict: "accepted", smtpCode: accepted?.code ?? code, response: accepted?.text ?? text }
    : { recipient, verdict: code < 500 || exceedsLimit(reply) ? "deferred" : "refused", smtpCode: code, response: text }
}

const mailReceipt = ({ rcptTo }: SmtpEnvelope, { accepted, recipients }: SmtpReceipt): MailReceipt => ({
  replies: recipients.flatMap((reply, index) =>
    accepted !== null && exceedsLimit(reply) ? [] : [recipientReply(rcptTo[index] ?? "", reply, accepted)]
  ),
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
  return cause === "unsendable" || (cause === "reply" && smtpCode !== null && smtpCode >= 500)
    ? new MailRefused({ smtpCode, response })
    : new MailDeferred({ smtpCode, response, isSilent: cause === "timeout", mayBeTaken: mayBeAccepted(failure) })
}

/** The SMTP envelope of a mail, with its delivery status notification options (RFC 3461). */
export const smtpEnvelope = ({ envelopeId, mailFrom, notify, rcptTo }: OutgoingMail): SmtpEnvelope => ({
  mailFrom,
  rcptTo,
  dsn: { envelopeId, notify }
})

type SendFailure = MailRefused | MailDeferred | RelayUnavailable

type Send<E> = Effect.Effect<MailReceipt, E>

/** Passes a mail to the pool. Its cancellation closes the connection if the transaction has begun. */
const request = (
  pool: SmtpPool,
  { data, envelope }: SmtpMail,
  resume: (result: Send<SendFailure>) => void,
  lease?: SmtpLease
) =>
  Effect.sync(
    pool.send({ envelope, data, ...(lease === undefined ? {} : { lease }) }, (result) =>
      resume("stage" in result ? mailFailure(result) : Effect.succeed(mailReceipt(envelope, result)))
    )
  )

/** Sends a mail. Interruption removes it from the queue, or closes its connection. */
export const sendOverSmtp = (pool: SmtpPool, envelope: SmtpEnvelope, octets: Uint8Array): Send<SendFailure> =>
  Effect.flatMap(inSlices(mailData(octets)), (data) =>
    Effect.async((resume) => request(pool, { envelope, data }, resume))
  )

/** Sends a mail as `sendOverSmtp` does, if its lease holds when it has a connection. */
export const sendLeased = (
  pool: SmtpPool,
  envelope: SmtpEnvelope,
  octets: Uint8Array,
  { isHeld, organizationId }: MailLease
): Send<SendFailure | MailWithdrawn> =>
  Effect.flatMap(inSlices(mailData(octets)), (data) =>
    Effect.async((resume) =>
      request(pool, { envelope, data }, resume, {
        owner: organizationId,
        isHeld,
        lost: () => resume(new MailWithdrawn())
      })
    )
  )
