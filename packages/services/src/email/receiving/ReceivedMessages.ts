import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { MailAuthentication } from "@switchboard/domain/email/receiving/MailAuthentication"
import type { MessageId } from "@switchboard/domain/messages/Message"
import { type ObjectKey, objectKey } from "@switchboard/domain/objects/ObjectKey"
import { DateTime, Effect } from "effect"
import { newUuid } from "../../NewUuid.js"
import { ObjectStore } from "../../objects/ObjectStore.js"
import type { InboundMail } from "./InboundMail.js"
import type { ReadMail, ReadPart } from "./ReadMail.js"
import { receivedMessage } from "./ReceivedMessage.js"
import { type ReceivedAttachment, ReceivedMessageRepo } from "./ReceivedMessageRepo.js"

const mediaType = /^[a-z0-9][\w.+-]{0,126}\/[a-z0-9][\w.+-]{0,126}$/i
const maxContentIdLength = 255

/** The name of a part without one; an enclosed mail gets the extension .eml. */
const nameless = (contentType: string, position: number): string =>
  `attachment-${position + 1}${contentType === "message/rfc822" ? ".eml" : ""}`

/** The object key of a part. A repeat overwrites the same object. */
const partKey = (mail: Pick<InboundMail, "id" | "organizationId">, position: number): ObjectKey =>
  objectKey(mail.organizationId, "mail", mail.id satisfies MessageId, String(position))

/** The attachments of a mail. */
const receivedAttachments = (mail: InboundMail, parts: ReadonlyArray<ReadPart>): ReadonlyArray<ReceivedAttachment> =>
  parts.map((part, position) => {
    const declared = part.contentType.toLowerCase()
    const contentType = mediaType.test(declared) ? declared : "application/octet-stream"
    const contentId = part.contentId?.replaceAll(/[<>\s]/g, "").slice(0, maxContentIdLength) ?? ""
    return {
      id: newUuid(DateTime.toEpochMillis(mail.receivedAt)),
      filename: part.filename ?? nameless(contentType, position),
      contentType,
      contentId: contentId === "" ? null : contentId,
      size: part.content.byteLength,
      key: partKey(mail, position)
    }
  })

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
