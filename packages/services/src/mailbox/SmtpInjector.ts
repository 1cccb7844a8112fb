import { ConflictError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Context, Effect } from "effect"
import type { OutgoingMail } from "../messages/delivery/MailTransport.js"
import type { ProviderReply, ProviderUnavailable, SendDeferred, SendRefused } from "../messages/delivery/Provider.js"

/** A complete mail (RFC 5322) with its SMTP envelope. */
export interface ComposedMail {
  readonly mailFrom: string
  readonly rcptTo: ReadonlyArray<string>
  readonly raw: Uint8Array
}

/** The server's reply. */
export type Injection = Effect.Effect<ProviderReply, SendRefused | SendDeferred | ProviderUnavailable>

/** Sends mail over SMTP to the address where this service receives mail, as another server does. */
export class SmtpInjector extends Context.Tag("services/SmtpInjector")<
  SmtpInjector,
  {
    /** Composes a mail and sends it. */
    readonly inject: (mail: OutgoingMail) => Injection
    /** Sends a complete mail unchanged. */
    readonly injectComposed: (mail: ComposedMail) => Injection
  }
>() {}

const retryAfterSeconds = 1

/** A mail that the inbound server accepted. */
interface AcceptedMail {
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
    SendRefused: conflict,
    SendDeferred: later,
    ProviderUnavailable: later
  })
  const recipients = replies.flatMap(({ recipient, verdict }) => (verdict === "accepted" ? [recipient] : []))
  if (recipients.length === 0) {
    const refusals = { response: replies.map((reply) => `${reply.recipient}: ${reply.response}`).join("; ") }
    return yield* replies.some(({ verdict }) => verdict === "deferred") ? later(refusals) : conflict(refusals)
  }
  const accepted: AcceptedMail = { recipients, response: response ?? "" }
  return accepted
})
