import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { isAutomaticReply } from "@switchboard/domain/email/receiving/AutomaticReply"
import type { MailAuthentication } from "@switchboard/domain/email/receiving/MailAuthentication"
import { maxReferenceLength, maxReferences } from "@switchboard/domain/email/threads/ThreadMatching"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import { DateTime, Option, Schema } from "effect"
import { type InboundMail, isSigned } from "./InboundMail.js"
import type { HeaderAddress, ReadMail } from "./ReadMail.js"
import type { MailAuthor, NewReceivedMessage, ReceivedAttachment } from "./ReceivedMessageRepo.js"

const decodeAddress = Schema.decodeUnknownOption(EmailAddress)

/** Limits of the stored addresses and names of a header. */
const maxAddresses = 200
const maxNameLength = 200

/**
 * The Message-IDs of a header to store. A longer header keeps the first id, which began the thread, and the latest
 * ones.
 */
const usableIds = (ids: ReadonlyArray<string>): ReadonlyArray<string> => {
  const usable = ids.filter((id) => id.length <= maxReferenceLength)
  return usable.length <= maxReferences ? usable : [...usable.slice(0, 1), ...usable.slice(1 - maxReferences)]
}

const displayName = ({ name }: HeaderAddress): string => [...name.trim()].slice(0, maxNameLength).join("")

const mailboxText = (mailbox: HeaderAddress): string => {
  const name = displayName(mailbox)
  return name === "" || name === mailbox.address ? mailbox.address : `${name} <${mailbox.address}>`
}

const addresses = (header: ReadonlyArray<HeaderAddress>): ReadonlyArray<string> =>
  header.slice(0, maxAddresses).map(({ address }) => address)

/** The author: the From address, or the reverse-path if From has no valid address. */
const authorOf = ({ mailFrom }: InboundMail, { from }: ReadMail): MailAuthor => {
  const name = displayName(from)
  return {
    address: Option.getOrNull(Option.orElse(decodeAddress(from.address), () => decodeAddress(mailFrom))),
    name: name === "" ? null : name
  }
}

/** The state of a received message: delivered to all its recipients. */
const arrived = (recipients: ReadonlyArray<string>, now: DateTime.Utc): MessageState => {
  const at = DateTime.formatIso(now)
  return {
    status: "delivered",
    statusHistory: [{ status: "delivered", timestamp: at }],
    deliveries: recipients.map((recipient) => ({ recipient, status: "delivered", at })),
    provider: null,
    providerMessageId: null,
    providerStatus: null,
    providerResponse: null,
    sentAt: null,
    deliveredAt: now,
    readAt: null,
    failedAt: null,
    retryCount: 0,
    maxRetries: 0,
    deliveryAttempts: 0,
    lastError: null,
    errorDetails: null,
    lastAttemptAt: null,
    updatedAt: now
  }
}

/** The headers of a reply's thread (RFC 5322 section 3.6.4). */
const threadHeaders = (inReplyTo: ReadonlyArray<string>, references: ReadonlyArray<string>) => ({
  ...(inReplyTo.length === 0 ? {} : { "In-Reply-To": inReplyTo.join(" ") }),
  ...(references.length === 0 ? {} : { References: references.join(" ") })
})

/** The tag of a mail that came to a return path and is no report that can be read. */
const unclassifiedTag = "unclassified"

/** Makes the message of a received mail. A mail to a return path answers the message, as one to its reply address. */
export const receivedMessage = (
  mail: InboundMail,
  read: ReadMail,
  authentication: MailAuthentication,
  attachments: ReadonlyArray<ReceivedAttachment>
): NewReceivedMessage => {
  const { id, organizationId, receivedAt } = mail
  const { recipients } = mail
  const signed = recipients.flatMap(({ kind }) => (isSigned(kind) ? [kind.messageId] : []))
  const tags = recipients.some(({ kind }) => kind._tag === "Bounce") ? [unclassifiedTag] : []
  const inReplyTo = usableIds(read.inReplyTo)
  const references = usableIds(read.references)
  const [rfcMessageId = ""] = usableIds([read.messageId])
  return {
    facts: {
      id,
      organizationId,
      participantMetadata: null,
      channel: "email",
      direction: "inbound",
      content: {
        subject: read.subject,
        html: read.html,
        text: read.text,
        replyText: read.replyText,
        from: mailboxText(read.from),
        replyTo: addresses(read.replyTo),
        attachments: attachments.map(({ contentType, filename, size }) => ({ filename, contentType, size }))
      },
      scheduledAt: null,
      cost: "0",
      maxRetries: 0,
      workflowRunId: null,
      queueMessageId: null,
      tags,
      categories: [],
      isInternal: false,
      isAutomated: isAutomaticReply({ mailFrom: mail.mailFrom, headers: read.headers, parts: read.parts }),
      externalId: null,
      referenceId: null,
      apiKeyId: null,
      httpMethod: null,
      apiRequestMetadata: null,
      apiResponseMetadata: null,
      createdAt: receivedAt,
      createdBy: null
    },
    state: arrived(
      recipients.map(({ address }) => address),
      receivedAt
    ),
    addressing: {
      messageId: rfcMessageId,
      to: addresses(read.to),
      cc: addresses(read.cc),
      bcc: [],
      headers: threadHeaders(inReplyTo, references),
      tags
    },
    author: authorOf(mail, read),
    recipients: recipients.flatMap(({ address, kind }) => (isSigned(kind) ? [] : [address])),
    signed,
    rfcMessageId,
    inReplyTo,
    references,
    headers: read.headers,
    size: mail.raw.byteLength,
    authentication,
    attachments
  }
}
