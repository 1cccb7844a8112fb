import { ConflictError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import { mailboxUserAgent } from "@switchboard/domain/email/tracking/TrackedRequest"
import type { MailboxMailId, SimulatedEvent } from "@switchboard/domain/mailbox/MailboxMail"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Duration, Effect, Option } from "effect"
import { parseForwardPath } from "../email/forwarding/ForwardPath.js"
import { openUrlIn } from "../email/tracking/TrackingLinks.js"
import { parseFeedbackId, returnPath } from "../messages/delivery/SignedReferences.js"
import { newUuid } from "../NewId.js"
import { PublicUrl } from "../PublicUrl.js"
import { Signatures } from "../SecretBox.js"
import { WebhookTransport } from "../webhooks/delivery/WebhookTransport.js"
import { findMail } from "./Mailbox.js"
import { MailboxComplaints, mailDate, multipartReport, type ReportedMail } from "./MailboxComplaints.js"
import { MailParser, type RawMail } from "./MailboxRepo.js"
import { acceptedMail, SmtpInjector } from "./SmtpInjector.js"

/** The length of the beginning of a mail that is searched for header fields, in octets. */
const maxHeaderOctets = 128 * 1024

/** The first header field of this name in a raw mail, unfolded (RFC 5322 section 2.2.3); empty if there is none. */
export const headerValue = (raw: Uint8Array, name: string): string => {
  const octets = Math.min(raw.byteLength, maxHeaderOctets)
  const start = Buffer.from(raw.buffer, raw.byteOffset, octets).toString("latin1")
  const end = start.indexOf("\r\n\r\n")
  const lines = (end < 0 ? start : start.slice(0, end)).replace(/\r\n(?=[ \t])/g, "").split("\r\n")
  const prefix = `${name.toLowerCase()}:`
  const line = lines.find((candidate) => candidate.toLowerCase().startsWith(prefix))
  return line === undefined ? "" : line.slice(prefix.length).trim()
}

/** The mail that comes back, and the recipients that it did not reach. */
interface UndeliveredMail extends ReportedMail {
  readonly from: string
  readonly recipients: ReadonlyArray<string>
}

const failureOf = (recipient: string): string => `Original-Recipient: rfc822; ${recipient}
Final-Recipient: rfc822; ${recipient}
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 No such mailbox here`

/** A delivery status notification (RFC 3464) that no recipient exists, with the header of the mail. */
const bounceReport = ({ from, recipients, ...mail }: UndeliveredMail): Buffer =>
  multipartReport(mail, {
    from,
    subject: "Undelivered mail returned to sender",
    reportType: "delivery-status",
    text: "Your mail could not be delivered: no such mailbox here.",
    fields: [
      `Reporting-MTA: dns; mailbox.localhost.test\nArrival-Date: ${mailDate(mail.date)}`,
      ...recipients.map(failureOf)
    ].join("\n\n")
  })

const imageTimeout = Duration.seconds(10)

const conflict = (message: string) => new ConflictError({ message, resource: "mail" })

/** Simulates what happens to a mail after its delivery, in the same ways as for mail that leaves the service. */
export class MailboxSimulations extends Effect.Service<MailboxSimulations>()("services/MailboxSimulations", {
  effect: Effect.gen(function* () {
    const find = yield* findMail
    const parser = yield* MailParser
    const injector = yield* SmtpInjector
    const complaints = yield* MailboxComplaints
    const signatures = yield* Signatures
    const publicUrl = yield* PublicUrl
    const { post } = yield* WebhookTransport

    /** Sends a delivery status notification for all recipients to the return path. */
    const bounce = Effect.fnUntraced(function* ({ mailFrom, raw, rcptTo }: RawMail) {
      const isSigned =
        Option.isSome(returnPath.parse(signatures, mailFrom)) || Option.isSome(parseForwardPath(signatures, mailFrom))
      if (!isSigned) {
        return yield* conflict(
          "The mail has no return path of this service: bounces reach the service only if the sender's domain is verified"
        )
      }
      const now = yield* DateTime.now
      const [first = ""] = rcptTo
      const report = bounceReport({
        id: newUuid(DateTime.toEpochMillis(now)),
        date: DateTime.toDateUtc(now),
        from: `mailer-daemon@${first.slice(first.lastIndexOf("@") + 1)}`,
        to: mailFrom,
        recipients: rcptTo,
        raw
      })
      // The null reverse-path prevents bounces of bounces (RFC 5321 section 4.5.5).
      yield* acceptedMail("bounce", injector.injectComposed({ mailFrom: "", rcptTo: [mailFrom], raw: report }))
    })

    /** Reports the mail as spam, once for each recipient. */
    const complain = Effect.fnUntraced(function* (mail: RawMail) {
      const feedback = parseFeedbackId(signatures, headerValue(mail.raw, "feedback-id")).pipe(
        Option.filter(({ organizationId }) => organizationId === mail.organizationId)
      )
      if (Option.isNone(feedback)) {
        return yield* conflict("The mail has no Feedback-ID of this organization: its message is unknown")
      }
      yield* Effect.forEach(mail.rcptTo, (recipient) => complaints.report(mail, feedback.value, recipient), {
        discard: true
      })
    })

    /** Loads the tracking pixel. No other URL of the mail is loaded. */
    const read = Effect.fnUntraced(function* ({ raw }: RawMail) {
      const { html } = yield* parser.parse(raw)
      const url = openUrlIn(signatures, publicUrl, html ?? "")
      if (Option.isNone(url)) {
        return yield* conflict("The mail has no tracking pixel: send it with trackOpens to record when it is read")
      }
      const response = yield* post({
        url: url.value,
        method: "GET",
        userAgent: mailboxUserAgent,
        headers: {},
        body: "",
        timeout: imageTimeout
      })
      if (response._tag === "Responded" && response.status === 200) return
      const reason = response._tag === "Responded" ? `status ${response.status}` : response.error
      return yield* new ServiceUnavailableError({
        message: `The tracking pixel can't be loaded from PUBLIC_URL (${publicUrl}): ${reason}`,
        retryAfterSeconds: 1
      })
    })

    const events = { bounce, complaint: complain, read }

    /** Simulates an event of a mail. It is recorded after the response, as for mail that leaves the service. */
    const simulate = Effect.fn("MailboxSimulations.simulate")(function* (
      organization: OrganizationId,
      id: MailboxMailId,
      kind: SimulatedEvent
    ) {
      const mail = yield* find(organization, id)
      yield* events[kind](mail)
    })

    return { simulate } as const
  })
}) {}
