import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { isAutomaticReply } from "@switchboard/domain/email/receiving/AutomaticReply"
import type { MailAuthentication } from "@switchboard/domain/email/receiving/MailAuthentication"
import { maxReferenceLength, maxReferences } from "@switchboard/domain/email/threads/ThreadMatching"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import { DateTime, Option, Schema } from "effect"
import { type InboundMail, isReturnPath } from "./InboundMail.js"
import type { HeaderAddress, ReadMail } from "./ReadMail.js"
import type { MailAuthor, NewReceivedMessage, ReceivedAttachment } from "./ReceivedMessageRepo.js"

const decodeAddress = Schema.decodeUnknownOption(EmailAddress)

/** Names and addresses that a header is kept with: nobody writes to more by hand. */
const mostAddresses = 200
const longestName = 200

/** The Message-IDs of a header that are kept: of a longer header the first, which began the thread, and the latest. */
const usableIds = (ids: ReadonlyArray<string>): ReadonlyArray<string> => {
  const usable = ids.filter((id) => id.length <= maxReferenceLength)
  return usable.length <= maxReferences ? usable : [...usable.slice(0, 1), ...usable.slice(1 - maxReferences)]
}

const displayName = ({ name }: HeaderAddress): string => [...name.trim()].slice(0, longestName).join("")

const mailboxText = (mailbox: HeaderAddress): string => {
  const name = displayName(mailbox)
  return name === "" || name === mailbox.address ? mailbox.address : `${name} <${mailbox.address}>`
}

const addresses = (header: ReadonlyArray<HeaderAddress>): ReadonlyArray<string> =>
  header.slice(0, mostAddresses).map(({ address }) => address)

/** Who wrote a mail: whom its From header names, or else where its failure would be told. */
const authorOf = ({ mailFrom }: InboundMail, { from }: ReadMail): MailAuthor => {
  const name = displayName(from)
  return {
    address: Option.getOrNull(Option.orElse(decodeAddress(from.address), () => decodeAddress(mailFrom))),
    name: name === "" ? null : name
  }
}

/** It has arrived: there is nothing more to come for any of our recipients. */
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

/** What a mail refers to, as the headers of whoever answers it are made from it. */
const threadHeaders = (inReplyTo: ReadonlyArray<string>, references: ReadonlyArray<string>) => ({
  ...(inReplyTo.length === 0 ? {} : { "In-Reply-To": inReplyTo.join(" ") }),
  ...(references.length === 0 ? {} : { References: references.join(" ") })
})

/** The message that a mail becomes. */
export const receivedMessage = (
  mail: InboundMail,
  read: ReadMail,
  authentication: MailAuthentication,
  attachments: ReadonlyArray<ReceivedAttachment>
): NewReceivedMessage => {
  const { id, organizationId, receivedAt } = mail
  const taken = mail.recipients.filter(({ kind }) => !isReturnPath(kind))
  const signed = taken.flatMap(({ kind }) => (kind._tag === "Reply" ? [kind.messageId] : []))
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
        from: mailboxText(read.from),
        replyTo: addresses(read.replyTo),
        attachments: attachments.map(({ contentType, filename, size }) => ({ filename, contentType, size }))
      },
      scheduledAt: null,
      cost: "0",
      maxRetries: 0,
      workflowRunId: null,
      queueMessageId: null,
      tags: [],
      categories: [],
      isInternal: false,
      isAutomated: isAutomaticReply({ mailFrom: mail.mailFrom, headers: read.headers }),
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
      taken.map(({ address }) => address),
      receivedAt
    ),
    addressing: {
      messageId: rfcMessageId,
      to: addresses(read.to),
      cc: addresses(read.cc),
      bcc: [],
      headers: threadHeaders(inReplyTo, references),
      tags: []
    },
    author: authorOf(mail, read),
    recipients: taken.flatMap(({ address, kind }) => (kind._tag === "Reply" ? [] : [address])),
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
