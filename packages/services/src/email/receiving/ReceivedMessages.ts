import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { isAutomaticReply } from "@switchboard/domain/email/receiving/AutomaticReply"
import type { MailAuthentication } from "@switchboard/domain/email/receiving/MailAuthentication"
import { maxReferenceLength, maxReferences } from "@switchboard/domain/email/threads/ThreadMatching"
import type { MessageId } from "@switchboard/domain/messages/Message"
import { receivedState } from "@switchboard/domain/messages/state/ReceivedState"
import { type ObjectKey, objectKey } from "@switchboard/domain/objects/ObjectKey"
import { DateTime, Effect, Option, Schema } from "effect"
import { newUuid } from "../../NewId.js"
import { ObjectStore } from "../../objects/ObjectStore.js"
import { type InboundMail, isSigned } from "./InboundMail.js"
import { displayName, fileOfPart, type HeaderAddress, type ReadMail, type ReadPart } from "./ReadMail.js"
import {
  type MailAuthor,
  type NewReceivedMessage,
  type ReceivedAttachment,
  ReceivedMessageRepo
} from "./ReceivedMessageRepo.js"

const decodeAddress = Schema.decodeUnknownOption(EmailAddress)

/** The maximum number of stored addresses of a header. */
const maxAddresses = 200

/**
 * The Message-IDs of a header to store. A longer header keeps the first id, which began the thread, and the latest
 * ones.
 */
const usableIds = (ids: ReadonlyArray<string>): ReadonlyArray<string> => {
  const usable = ids.filter((id) => id.length <= maxReferenceLength)
  return usable.length <= maxReferences ? usable : [...usable.slice(0, 1), ...usable.slice(1 - maxReferences)]
}

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

/** The headers of a reply's thread (RFC 5322 section 3.6.4). */
const threadHeaders = (inReplyTo: ReadonlyArray<string>, references: ReadonlyArray<string>) => ({
  ...(inReplyTo.length === 0 ? {} : { "In-Reply-To": inReplyTo.join(" ") }),
  ...(references.length === 0 ? {} : { References: references.join(" ") })
})

/** The tag of a mail that came to a return path and is no report that can be read. */
const unclassifiedTag = "unclassified"

/** Makes the message of a received mail. A mail to a return path answers the message, as one to its reply address. */
const receivedMessage = (
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
    state: receivedState(
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

/** The object key of a part. A repeat overwrites the same object. */
const partKey = (mail: Pick<InboundMail, "id" | "organizationId">, position: number): ObjectKey =>
  objectKey(mail.organizationId, "mail", mail.id satisfies MessageId, String(position))

/** The attachments of a mail. */
const receivedAttachments = (mail: InboundMail, parts: ReadonlyArray<ReadPart>): ReadonlyArray<ReceivedAttachment> =>
  parts.map((part, position) => ({
    ...fileOfPart(part, position),
    id: newUuid(DateTime.toEpochMillis(mail.receivedAt)),
    size: part.content.byteLength,
    key: partKey(mail, position)
  }))

/** The maximum number of objects stored concurrently. */
const atOnce = 4

/** Receives mail as messages. */
export class ReceivedMessages extends Effect.Service<ReceivedMessages>()("services/ReceivedMessages", {
  effect: Effect.gen(function* () {
    const repo = yield* ReceivedMessageRepo
    const objects = yield* ObjectStore

    /** The error that keeps the mail in the queue. */
    const unavailable = (message: string) => new ServiceUnavailableError({ message, retryAfterSeconds: 1 })

    /**
     * Stores a mail as a message, in the thread and conversation of its parent. Files are stored first, so that no
     * message lacks its files. A repeat changes nothing.
     */
    const receive = Effect.fnUntraced(function* (
      mail: InboundMail,
      read: ReadMail,
      authentication: MailAuthentication
    ): Effect.fn.Return<void, ServiceUnavailableError> {
      // A deleted message must not be received again.
      if (yield* repo.isReceived(mail.organizationId, mail.id)) return
      const attachments = receivedAttachments(mail, read.parts)
      yield* Effect.forEach(
        read.parts,
        ({ content }, position) =>
          objects.put(
            partKey(mail, position),
            content,
            attachments[position]?.contentType ?? "application/octet-stream"
          ),
        { concurrency: atOnce, discard: true }
      ).pipe(Effect.catchTag("ExternalServiceError", ({ message }) => unavailable(message)))
      yield* repo.receive(receivedMessage(mail, read, authentication, attachments))
    })

    return { receive } as const
  })
}) {}
