import { addressDomain, EmailAddress, MailboxText, mailboxText } from "@switchboard/domain/email/EmailAddress"
import { replyHeaders } from "@switchboard/domain/email/send/ReplyHeaders"
import { type Attachment, attachmentBytes } from "@switchboard/domain/messages/Attachment"
import { marketing } from "@switchboard/domain/messages/Categories"
import { htmlOfText } from "@switchboard/domain/messages/HtmlOfText"
import { type EmailContent, type EmailMetadata, type Message, MessageId } from "@switchboard/domain/messages/Message"
import { type Addressees, contentIdentity, requestIdentity } from "@switchboard/domain/messages/RequestIdentity"
import { recipientLimit, type SendOrReply, type SendRequest } from "@switchboard/domain/messages/SendRequest"
import { accepted } from "@switchboard/domain/messages/state/MessageLifecycle"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Array, BigDecimal, DateTime, Effect, Option, Record, Schema } from "effect"
import mime from "mime"
import type { SendsAs } from "../../email/senders/Senders.js"
import type { Templates } from "../../email/templates/Templates.js"
import { hashIdentity } from "../../idempotency/CreationKey.js"
import { newId, newUuid } from "../../NewId.js"
import { OrganizationRepo } from "../../organizations/OrganizationRepo.js"
import { sharedLookup } from "../../SharedLookup.js"
import type { CompleteMessage, NewMessage, StoredAttachment } from "../MessageRepo.js"
import { type Caller, SendSettings } from "../SendContext.js"
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
export const inlineBody = ({ email }: SendRequest): EmailBody => {
  const html = email.html ?? (email.text === undefined ? "" : htmlOfText(email.text))
  return { subject: email.subject ?? "", html, text: email.text ?? plainText(html) }
}

/** The content of a request, rendered from a template. */
export const renderedBody =
  (templates: Templates) =>
  (organization: OrganizationId, templateId: string, { email: { templateData = {}, ...inline } }: SendRequest) =>
    Effect.map(
      templates.render(organization, templateId, templateData, inline),
      ({ version, ...said }): EmailBody => ({ ...said, templateId, templateVersion: version })
    )

const decodeAddress = Schema.decodeSync(EmailAddress)
const decodeMailbox = Schema.decodeSync(MailboxText)

/** The reason why a message can't be sent again; null if it can. */
export const resendProblem = ({ content, direction, emailMetadata }: Message): string | null => {
  if (direction === "inbound") return "Only an outbound message can be sent again: this one was received"
  if (emailMetadata == null) return "Only an e-mail can be sent again"
  if (content.erasedAt !== undefined) return "The content of the message was erased"
  const { bcc, cc, to } = emailMetadata
  return [...to, ...cc, ...bcc].length === 0 ? "The recipients of the message were erased" : null
}

/** The request that sends a message again: at once, and without its template, since the content is rendered. */
export const resendRequest = (
  { message, trackOpens }: CompleteMessage,
  { bcc, cc, headers, names = {}, tags, to }: EmailMetadata,
  idempotencyKey: string | undefined
): SendOrReply => {
  const { content } = message
  const recipients = (addresses: ReadonlyArray<string>) =>
    addresses.map((address) => ({ email: decodeAddress(address), name: names[address] }))
  return {
    channel: "email",
    to: recipients(to),
    cc: recipients(cc),
    bcc: recipients(bcc),
    idempotencyKey,
    conversationId: message.conversationId ?? undefined,
    externalId: message.externalId ?? undefined,
    referenceId: message.referenceId ?? undefined,
    tags: message.tags,
    categories: message.categories,
    isTest: message.isTest,
    isAutomated: message.isAutomated,
    resendOf: message.id,
    email: {
      from: decodeMailbox(content.from),
      replyTo: content.replyToOfSender === true ? undefined : content.replyTo,
      headers,
      tags,
      trackOpens
    }
  }
}

/** Reply-To: the request's, otherwise the sender's. */
const replyTo = (addresses: ReadonlyArray<string> = [], sender: string | null) =>
  addresses.length > 0 || sender === null ? { replyTo: addresses } : { replyTo: [sender], replyToOfSender: true }

/** The idempotency key of a request with the hash of the request. */
const idempotencyKeyOf = Effect.fnUntraced(function* (request: SendOrReply) {
  const { idempotencyKey: key } = request
  if (key === undefined) return null
  return { key, fingerprint: yield* hashIdentity((fileText) => requestIdentity(request, fileText)) }
})

/** The attachments of a request with their contents. */
const storedAttachments = (attachments: ReadonlyArray<Attachment> = []): ReadonlyArray<StoredAttachment> =>
  attachments.map((attachment) => ({
    filename: attachment.filename,
    contentType: typeOfFile(attachment),
    contentId: attachment.contentId ?? null,
    content: attachmentBytes(attachment)
  }))

/** Makes the message of a request, from its sender, addressees and content. */
export class Compose extends Effect.Service<Compose>()("services/Compose", {
  effect: Effect.gen(function* () {
    const organizations = yield* OrganizationRepo
    const settings = yield* SendSettings

    const currencies = yield* sharedLookup({
      capacity: 10_000,
      timeToLive: "10 seconds",
      lookup: (organization: OrganizationId) =>
        Effect.map(
          organizations.find(organization),
          Option.map(({ defaultCurrency }) => defaultCurrency)
        ),
      idOf: (organization) => organization
    })

    const costOf = (recipients: number) =>
      BigDecimal.format(BigDecimal.multiply(settings.emailUnitCost, BigDecimal.unsafeFromNumber(recipients)))
    // Precomputed, since multiplying decimals takes as long as the rest of `message`.
    const costs = Array.makeBy(recipientLimit + 1, costOf)

    const message = Effect.fnUntraced(function* (
      caller: Caller,
      request: SendOrReply,
      { replyTo: replyToOfSender, ...from }: SendsAs,
      addressees: Addressees,
      body: EmailBody,
      parent: EmailMetadata | null = null,
      attachments: ReadonlyArray<StoredAttachment> = storedAttachments(request.email.attachments)
    ) {
      const { email } = request
      const { id, now } = yield* newId(MessageId)
      const currency = yield* currencies.get(caller.organizationId)
      const sender = mailboxText(from)
      const recipients = [...addressees.to, ...addressees.cc, ...addressees.bcc]
      const idempotencyKey = yield* idempotencyKeyOf(request)
      const contentHash = yield* hashIdentity((fileText) => contentIdentity(request, sender, addressees, fileText))
      const composed: NewMessage = {
        facts: {
          id,
          organizationId: caller.organizationId,
          conversationId: request.conversationId ?? null,
          threadId: null,
          parentMessageId: request.inReplyToMessageId ?? null,
          participantMetadata: null,
          channel: request.channel,
          direction: "outbound",
          content: {
            ...body,
            ...replyTo(email.replyTo, replyToOfSender),
            from: sender,
            attachments: attachments.map(({ content, contentType, filename }) => ({
              filename,
              contentType,
              size: content.byteLength
            }))
          },
          scheduledAt: request.scheduledAt ?? null,
          cost: costs[recipients.length] ?? costOf(recipients.length),
          currency: Option.getOrElse(currency, () => "USD"),
          maxRetries: settings.retrySchedule.length,
          workflowRunId: null,
          queueMessageId: newUuid(DateTime.toEpochMillis(now)),
          tags: request.tags ?? [],
          categories: request.categories ?? [],
          isTest: request.isTest ?? false,
          isInternal: false,
          isAutomated: request.isAutomated ?? false,
          externalId: request.externalId ?? null,
          referenceId: request.referenceId ?? null,
          apiKeyId: caller.apiKeyId,
          httpMethod: caller.request.method,
          apiRequestMetadata: caller.request,
          apiResponseMetadata: null,
          createdAt: now,
          createdBy: null
        },
        state: accepted(recipients, settings.retrySchedule.length, request.scheduledAt !== undefined, now),
        addressing: {
          // The same at every attempt, so that receivers recognize a repeat (RFC 5322 section 3.6.4).
          messageId: `<${id}@${addressDomain(from.address)}>`,
          to: addressees.to,
          cc: addressees.cc,
          bcc: addressees.bcc,
          ...(Record.isEmptyReadonlyRecord(addressees.names) ? {} : { names: addressees.names }),
          headers: { ...email.headers, ...(parent === null ? {} : replyHeaders(parent)) },
          tags: email.tags ?? []
        },
        sender: from,
        recipients,
        attachments,
        trackOpens: email.trackOpens ?? false,
        isBulk: request.categories?.includes(marketing) ?? false,
        identity: {
          idempotencyKey,
          contentHash,
          dedupeWindow: settings.dedupeWindow
        },
        traceParent: caller.traceParent
      }
      return composed
    })

    return { message } as const
  })
}) {}
