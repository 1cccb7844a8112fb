import type { RecipientReply } from "@switchboard/domain/messages/DeliveryOutcome"
import {
  MailDeferred,
  type MailReceipt,
  MailRefused,
  RelayUnavailable
} from "@switchboard/services/messages/MailTransport"
import { Option, Schema } from "effect"

/** What the SMTP client tells of one refused recipient. */
const RecipientError = Schema.Struct({
  recipient: Schema.String,
  responseCode: Schema.optional(Schema.Number),
  response: Schema.optional(Schema.String)
})

/** What the SMTP client tells of a session that took no mail: at which command, and what was answered. */
const SessionError = Schema.Struct({
  message: Schema.String,
  code: Schema.optional(Schema.String),
  command: Schema.optional(Schema.String),
  responseCode: Schema.optional(Schema.Number),
  response: Schema.optional(Schema.String),
  rejectedErrors: Schema.optional(Schema.Array(RecipientError))
})

const SessionResult = Schema.Struct({
  accepted: Schema.Array(Schema.String),
  rejectedErrors: Schema.optional(Schema.Array(RecipientError)),
  response: Schema.String
})

const decodeError = Schema.decodeUnknownOption(SessionError)
const decodeResult = Schema.decodeUnknownOption(SessionResult)

/** The commands at which a message, and not the relay, is judged. */
const aboutTheMessage = new Set(["MAIL FROM", "RCPT TO", "DATA"])

/** RFC 5321 section 4.2.1: the service is not available, whatever it was asked. */
const closing = 421

const refusedReply = (error: typeof RecipientError.Type): RecipientReply => ({
  recipient: error.recipient,
  verdict: (error.responseCode ?? 450) < 500 ? "deferred" : "refused",
  smtpCode: error.responseCode,
  response: error.response
})

/** Postfix, Exim, Sendmail and their like name the mail in their reply. */
const queuedAs = /(?:queued as|id=|ok id)\s*<?([\w.@-]{4,100})>?/i

/** How the relay answered, when it took the mail for at least one recipient. */
export const receiptOf = (result: unknown): Option.Option<MailReceipt> =>
  Option.map(decodeResult(result), ({ accepted, rejectedErrors = [], response }) => {
    const smtpCode = Number.parseInt(response, 10)
    return {
      replies: [
        ...accepted.map((recipient): RecipientReply => ({ recipient, verdict: "accepted", smtpCode, response })),
        ...rejectedErrors.map(refusedReply)
      ],
      response,
      providerMessageId: queuedAs.exec(response)?.[1] ?? null
    }
  })

/** What a session without success means: for its recipients, for the message, or for the relay. */
export const failureOf = (error: unknown): MailReceipt | MailRefused | MailDeferred | RelayUnavailable =>
  Option.match(decodeError(error), {
    onNone: () => new RelayUnavailable({ response: String(error) }),
    onSome: ({ code, command, message, rejectedErrors = [], response, responseCode }) => {
      const said = response ?? message
      const smtpCode = responseCode ?? null
      const everyReply = [responseCode, ...rejectedErrors.map((one) => one.responseCode)]
      if (everyReply.includes(closing)) return new RelayUnavailable({ response: said })
      if (rejectedErrors.length > 0 && command === "RCPT TO") {
        return { replies: rejectedErrors.map(refusedReply), response: null, providerMessageId: null }
      }
      if (code === "EMESSAGE" || aboutTheMessage.has(command ?? "")) {
        return smtpCode !== null && smtpCode < 500
          ? new MailDeferred({ smtpCode, response: said })
          : new MailRefused({ smtpCode, response: said })
      }
      return new RelayUnavailable({ response: said })
    }
  })
