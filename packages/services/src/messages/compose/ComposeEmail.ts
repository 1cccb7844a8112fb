import { addressDomain, EmailAddress, MailboxText, mailboxText } from "@switchboard/domain/email/EmailAddress"
import { replyHeaders } from "@switchboard/domain/email/send/ReplyHeaders"
import type { Tracking } from "@switchboard/domain/email/tracking/Tracking"
import { type Attachment, attachmentBytes } from "@switchboard/domain/messages/Attachment"
import { htmlOfText } from "@switchboard/domain/messages/HtmlOfText"
import type { EmailContent, EmailMessage, EmailMetadata } from "@switchboard/domain/messages/Message"
import { type Addressees, emailIdentity } from "@switchboard/domain/messages/RequestIdentity"
import {
  type EmailSend,
  type EmailSendOrReply,
  recipientLimit,
  type SubmittedMail
} from "@switchboard/domain/messages/SendRequest"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Array, BigDecimal, Effect, Record, Schema } from "effect"
import mime from "mime"
import type { SendsAs } from "../../email/senders/Senders.js"
import type { Templates } from "../../email/templates/Templates.js"
import type { StoredAttachment } from "../MessageRepo.js"
import { type Caller, SendSettings } from "../SendContext.js"
import { Compose, repeatedFields } from "./Compose.js"
import { plainText } from "./PlainText.js"

/// <reference path="./Mime.d.ts" />

/** The content type of an attachment: the given one, otherwise that of its file name's extension. */
export const typeOfFile = ({ contentType, filename }: Pick<Attachment, "contentType" | "filename">): string =>
  // The library takes a name without a dot for an extension.
  contentType ?? (filename.includes(".") ? mime.getType(filename) : null) ?? "application/octet-stream"

/** The content of a message, with the template and version that it was rendered from. */
interface EmailBody {
  readonly subject: string
  readonly html: string
  readonly text: string
  readonly templateId?: string
  readonly templateVersion?: number
}

/** The content of a stored message. */
export const storedBody = ({ html, subject, templateId, templateVersion, text }: EmailContent): EmailBody => ({
  subject,
  html,
  text,
  ...(templateId === undefined ? {} : { templateId }),
  ...(templateVersion === undefined ? {} : { templateVersion })
})

/** The content that the request itself has. */
export const inlineBody = ({ email }: EmailSend): EmailBody => {
  const html = email.html ?? (email.text === undefined ? "" : htmlOfText(email.text))
  return { subject: email.subject ?? "", html, text: email.text ?? plainText(html) }
}

/** The content of a request, rendered from a template. */
export const renderedBody =
  (templates: Templates) =>
  (organization: OrganizationId, templateId: string, { email: { templateData = {}, ...inline } }: EmailSend) =>
    Effect.map(
      templates.render(organization, "email", templateId, templateData, inline),
      ({ version, ...said }): EmailBody => ({ ...said, templateId, templateVersion: version })
    )

const decodeAddress = Schema.decodeSync(EmailAddress)
const decodeMailbox = Schema.decodeSync(MailboxText)

/** The request that sends an e-mail again: at once, and without its template, since the content is rendered. */
export const repeatedEmail = (
  message: EmailMessage,
  { trackClicks, trackOpens }: Tracking,
  idempotencyKey: string | undefined
): EmailSendOrReply => {
  const { content } = message
  const { bcc, cc, headers, names = {}, tags, to } = message.emailMetadata
  const recipients = (addresses: ReadonlyArray<string>) =>
    addresses.map((address) => ({ email: decodeAddress(address), name: names[address] }))
  return {
    channel: "email",
    to: recipients(to),
    cc: recipients(cc),
    bcc: recipients(bcc),
    ...repeatedFields(message, idempotencyKey),
    email: {
      from: decodeMailbox(content.from),
      replyTo: content.replyToOfSender === true ? undefined : content.replyTo,
      headers,
      tags,
      trackOpens,
      trackClicks
    }
  }
}

/** Reply-To: the request's, otherwise the sender's. */
const replyTo = (addresses: ReadonlyArray<string> = [], sender: string | null) =>
  addresses.length > 0 || sender === null ? { replyTo: addresses } : { replyTo: [sender], replyToOfSender: true }

/** The attachments of a request with their contents. */
export const storedAttachments = (attachments: ReadonlyArray<Attachment> = []): ReadonlyArray<StoredAttachment> =>
  attachments.map((attachment) => ({
    filename: attachment.filename,
    contentType: typeOfFile(attachment),
    contentId: attachment.contentId ?? null,
    content: attachmentBytes(attachment)
  }))

/** A submitted mail as the first attachment of its message. */
const submittedFile = ({ octets }: SubmittedMail): StoredAttachment => ({
  filename: "mail.eml",
  contentType: "message/rfc822",
  contentId: null,
  content: octets
})

/** Makes the message of an e-mail, from its sender, addressees and content. */
export const composeEmail = Effect.gen(function* () {
  const compose = yield* Compose
  const { emailUnitCost } = yield* SendSettings

  const costOf = (recipients: number) =>
    BigDecimal.format(BigDecimal.multiply(emailUnitCost, BigDecimal.unsafeFromNumber(recipients)))
  // Precomputed, since multiplying decimals takes as long as the rest of `message`.
  const costs = Array.makeBy(recipientLimit + 1, costOf)

  return (
    caller: Caller,
    request: EmailSendOrReply,
    { replyTo: replyToOfSender, tracking, ...from }: SendsAs,
    addressees: Addressees,
    body: EmailBody,
    parent: EmailMetadata | null = null,
    files: ReadonlyArray<StoredAttachment> = request.submitted?.files ?? storedAttachments(request.email.attachments)
  ) => {
    const { email, submitted } = request
    const sender = mailboxText(from)
    const recipients = [...addressees.to, ...addressees.cc, ...addressees.bcc]
    return compose.message(caller, request, {
      content: {
        ...body,
        ...replyTo(email.replyTo, submitted === undefined ? replyToOfSender : null),
        from: sender,
        attachments: files.map(({ content, contentType, filename }) => ({
          filename,
          contentType,
          size: content.byteLength
        }))
      },
      addressing: (id) => ({
        ...(submitted === undefined ? {} : { submitted: true }),
        ...(submitted?.needsSmtpUtf8 ? { smtpUtf8: true } : {}),
        // The same at every attempt, so that receivers recognize a repeat (RFC 5322 section 3.6.4).
        messageId: submitted?.messageId ?? `<${id}@${addressDomain(from.address)}>`,
        to: addressees.to,
        cc: addressees.cc,
        bcc: addressees.bcc,
        ...(Record.isEmptyReadonlyRecord(addressees.names) ? {} : { names: addressees.names }),
        headers: { ...email.headers, ...(parent === null ? {} : replyHeaders(parent, email.headers)) },
        tags: email.tags ?? []
      }),
      cost: costs[recipients.length] ?? costOf(recipients.length),
      identity: (fileText) => emailIdentity(request, sender, addressees, fileText),
      sender: from,
      recipients,
      attachments: submitted === undefined ? files : [submittedFile(submitted), ...files],
      trackOpens: email.trackOpens ?? tracking.trackOpens,
      trackClicks: email.trackClicks ?? tracking.trackClicks
    })
  }
})
