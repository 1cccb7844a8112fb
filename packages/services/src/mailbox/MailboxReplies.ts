import { ConflictError, ValidationError } from "@switchboard/domain/Errors"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { replyHeaders } from "@switchboard/domain/email/send/ReplyHeaders"
import { MailboxAnswer, type MailboxMailId, type MailboxReply } from "@switchboard/domain/mailbox/MailboxMail"
import { attachmentBytes } from "@switchboard/domain/messages/Attachment"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Effect, Option, Schema } from "effect"
import { reserveKey } from "../idempotency/CreateOnce.js"
import { typeOfFile } from "../messages/compose/ComposeEmail.js"
import { plainText } from "../messages/compose/PlainText.js"
import type { OutgoingMail } from "../messages/delivery/MailTransport.js"
import { newUuid, timeOfId } from "../NewId.js"
import { findMail } from "./Mailbox.js"
import { MailParser, type ParsedMail, type RawMail } from "./MailboxRepo.js"
import { acceptedMail, SmtpInjector } from "./SmtpInjector.js"

/** The mail to reply to, the author and the recipients of the reply. */
interface ReplyContext {
  readonly mail: Pick<RawMail, "messageId" | "receivedAt">
  readonly parsed: ParsedMail
  readonly author: string
  readonly to: ReadonlyArray<string>
}

const hasReplyPrefix = /^re:/i

const quoted = ({ mail, parsed }: ReplyContext): string => {
  const original = (parsed.text ?? plainText(parsed.html ?? "")).trimEnd()
  const lines = original.split(/\r?\n/).map((line) => (line.startsWith(">") ? `>${line}` : `> ${line}`.trimEnd()))
  return [`On ${DateTime.formatIso(mail.receivedAt)}, ${parsed.from} wrote:`, ...lines].join("\n")
}

/** Composes a reply as a mail client does: with the original quoted below, and with In-Reply-To and References. */
const recipientReply = (
  context: ReplyContext,
  { attachments = [], html, subject, text }: MailboxReply,
  { date, id }: { readonly date: DateTime.Utc; readonly id: string }
): OutgoingMail => {
  const { author, mail, parsed, to } = context
  const headers = Object.fromEntries(parsed.headers.map(({ name, value }) => [name.toLowerCase(), value]))
  return {
    mailFrom: author,
    rcptTo: to,
    envelopeId: id,
    notify: false,
    messageId: `<${id}@${author.slice(author.lastIndexOf("@") + 1)}>`,
    date,
    from: { address: author },
    to,
    cc: [],
    names: {},
    replyTo: [],
    subject: subject ?? (hasReplyPrefix.test(parsed.subject) ? parsed.subject : `Re: ${parsed.subject}`),
    html: html ?? "",
    text: `${text}\n\n${quoted(context)}\n`,
    headers: { ...replyHeaders({ headers, messageId: mail.messageId }) },
    submitted: null,
    needsSmtpUtf8: false,
    attachments: attachments.map((attachment) => ({
      filename: attachment.filename,
      contentType: typeOfFile(attachment),
      contentId: attachment.contentId ?? null,
      content: attachmentBytes(attachment)
    })),
    dkim: null
  }
}

const decodeAddress = Schema.decodeOption(EmailAddress)

const conflict = (message: string) => new ConflictError({ message, resource: "mail" })

/** The recipient that replies: `from`, or the mail's first recipient. */
const authorOf = ({ rcptTo }: RawMail, { from }: MailboxReply) => {
  const [first = ""] = rcptTo
  const named = from === undefined ? first : rcptTo.find((one) => one.toLowerCase() === from.toLowerCase())
  return named === undefined
    ? new ValidationError({
        message: "The request body is invalid",
        fields: { from: [`must be a recipient of the mail: ${rcptTo.join(", ")}`] }
      })
    : Effect.succeed(named)
}

/** The addresses to reply to: Reply-To, otherwise From. */
const addressees = ({ from, replyTo }: ParsedMail): ReadonlyArray<string> =>
  (replyTo.length > 0 ? replyTo : [from]).flatMap((address) => Option.toArray(decodeAddress(address)))

/** Replies to mails in the local mailbox, so that conversations can be tested without a mail leaving the service. */
export class MailboxReplies extends Effect.Service<MailboxReplies>()("services/MailboxReplies", {
  effect: Effect.gen(function* () {
    const find = yield* findMail
    const parser = yield* MailParser
    const injector = yield* SmtpInjector
    const reserve = yield* reserveKey

    const deliver = (reply: OutgoingMail) =>
      Effect.map(
        acceptedMail("reply", injector.inject(reply)),
        ({ recipients, response }) =>
          new MailboxAnswer(
            { messageId: reply.messageId, from: reply.mailFrom, to: recipients, subject: reply.subject, response },
            { disableValidation: true }
          )
      )

    /**
     * Composes the reply as a mail client does, and sends it over SMTP to the address where the service receives mail.
     * With the id of an earlier reply, it is the same mail, which the server stores once.
     */
    const reply = Effect.fn("MailboxReplies.reply")(function* (
      organization: OrganizationId,
      id: MailboxMailId,
      request: MailboxReply,
      earlier?: string
    ) {
      const mail = yield* find(organization, id)
      const author = yield* authorOf(mail, request)
      const parsed = yield* parser.parse(mail.raw)
      const to = addressees(parsed)
      if (to.length === 0) return yield* conflict("The mail has no address to reply to")
      const replyId = earlier ?? newUuid(DateTime.toEpochMillis(yield* DateTime.now))
      const identity = { date: timeOfId(replyId), id: replyId }
      return yield* reserve(replyId, deliver(recipientReply({ mail, parsed, author, to }, request, identity)))
    })

    return { reply } as const
  })
}) {}
