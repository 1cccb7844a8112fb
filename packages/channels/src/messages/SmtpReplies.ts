import type { RecipientReply } from "@switchboard/domain/messages/DeliveryOutcome"
import {
  MailDeferred,
  type MailReceipt,
  MailRefused,
  RelayUnavailable
} from "@switchboard/services/messages/MailTransport"
import { Effect } from "effect"
import type { NodemailerError, SMTPPoolSentMessageInfo } from "nodemailer"
import { queuedAs } from "./QueuedAs.js"

/** What a relay says that would say the same to every mail: it is closing, or wants a log-in or TLS first (RFC 4954, RFC 3207). */
const outageCodes = new Set([421, 530])

/** What ends a connection: a mail on its way over it was put off, nothing was said about it. */
const connectionLost = new Set(["ECONNECTION", "ESOCKET", "ETIMEDOUT", "EPROTOCOL"])

/** What is wrong with a mail before any relay has seen it. */
const unsendable = new Set(["EENVELOPE", "EMESSAGE", "ESTREAM", "EMAXRECIPIENTS", "EFILEACCESS", "EURLACCESS"])

const isTransient = (code: number | undefined) => code === undefined || code < 500

const refusedReply = (error: NodemailerError): RecipientReply => ({
  recipient: error.recipient ?? "",
  verdict: isTransient(error.responseCode) ? "deferred" : "refused",
  smtpCode: error.responseCode,
  response: error.response
})

/** How the relay answered, when it took the mail for at least one recipient. */
export const receiptOf = ({
  accepted,
  rejectedErrors = [],
  response
}: Pick<SMTPPoolSentMessageInfo, "accepted" | "rejectedErrors" | "response">): MailReceipt => {
  const smtpCode = Number.parseInt(response, 10)
  return {
    replies: [
      ...accepted.map((recipient): RecipientReply => ({ recipient, verdict: "accepted", smtpCode, response })),
      ...rejectedErrors.map(refusedReply)
    ],
    response,
    providerMessageId: queuedAs(response)
  }
}

/**
 * What a send that took nothing means: for its recipients, for the message, or for the relay. `begun` says whether the
 * relay had let us in: a connection that is lost before that is no use to any message.
 */
export const failureOf = (
  error: NodemailerError,
  begun: boolean
): Effect.Effect<MailReceipt, MailRefused | MailDeferred | RelayUnavailable> => {
  const { code = "", command, message, rejectedErrors = [], responseCode } = error
  const response = error.response ?? message
  const codes = [responseCode, ...rejectedErrors.map((rejected) => rejected.responseCode)]
  if (codes.some((said) => said !== undefined && outageCodes.has(said))) return new RelayUnavailable({ response })
  // That every recipient was refused is an answer like any other.
  if (rejectedErrors.length > 0) {
    return Effect.succeed({ replies: rejectedErrors.map(refusedReply), response: null, providerMessageId: null })
  }
  if (responseCode !== undefined && (command === "MAIL FROM" || command === "DATA")) {
    return isTransient(responseCode)
      ? new MailDeferred({ smtpCode: responseCode, response })
      : new MailRefused({ smtpCode: responseCode, response })
  }
  if (unsendable.has(code)) return new MailRefused({ smtpCode: null, response })
  return begun && connectionLost.has(code)
    ? new MailDeferred({ smtpCode: null, response })
    : new RelayUnavailable({ response })
}
