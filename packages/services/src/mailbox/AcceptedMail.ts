import { ConflictError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Effect } from "effect"
import type { Injection } from "./SmtpInjector.js"

const retryAfterSeconds = 1

/** A mail that the inbound server accepted. */
export interface AcceptedMail {
  /** The recipients that the server accepted. */
  readonly recipients: ReadonlyArray<string>
  /** The server's reply to the final dot. */
  readonly response: string
}

/**
 * Sends a mail to the inbound server. Fails with a conflict if the server rejects all recipients, or with 503 if it
 * defers one or can't be reached. `name` is the kind of mail in the messages of errors.
 */
export const acceptedMail = Effect.fnUntraced(function* (name: string, injection: Injection) {
  const later = ({ response }: { readonly response: string }) =>
    new ServiceUnavailableError({ message: `The ${name} can't be delivered now: ${response}`, retryAfterSeconds })
  const conflict = ({ response }: { readonly response: string }) =>
    new ConflictError({ message: `The inbound server rejected the ${name}: ${response}`, resource: "mail" })
  const { replies, response } = yield* Effect.catchTags(injection, {
    MailRefused: conflict,
    MailDeferred: later,
    RelayUnavailable: later
  })
  const recipients = replies.flatMap(({ recipient, verdict }) => (verdict === "accepted" ? [recipient] : []))
  if (recipients.length === 0) {
    const refusals = { response: replies.map((reply) => `${reply.recipient}: ${reply.response}`).join("; ") }
    return yield* replies.some(({ verdict }) => verdict === "deferred") ? later(refusals) : conflict(refusals)
  }
  const accepted: AcceptedMail = { recipients, response: response ?? "" }
  return accepted
})
