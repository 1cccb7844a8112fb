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

/** A mail in a mail is a file of its own kind. */
const nameless = (contentType: string, position: number): string =>
  `attachment-${position + 1}${contentType === "message/rfc822" ? ".eml" : ""}`

/** Where a part of a mail is kept: the same at every try, so that a repeat takes the place of what was there. */
const partKey = (mail: Pick<InboundMail, "id" | "organizationId">, position: number): ObjectKey =>
  objectKey(mail.organizationId, "mail", mail.id satisfies MessageId, String(position))

/** The files of a mail as they are listed. */
const receivedAttachments = (mail: InboundMail, parts: ReadonlyArray<ReadPart>): ReadonlyArray<ReceivedAttachment> =>
  parts.map((part, position) => {
    const given = part.contentType.toLowerCase()
    const contentType = mediaType.test(given) ? given : "application/octet-stream"
    const contentId = part.contentId?.replaceAll(/[<>\s]/g, "").slice(0, maxContentIdLength) ?? ""
    return {
      id: newUuid({ msecs: DateTime.toEpochMillis(mail.receivedAt) }),
      filename: part.filename ?? nameless(contentType, position),
      contentType,
      contentId: contentId === "" ? null : contentId,
      size: part.content.byteLength,
      key: partKey(mail, position)
    }
  })

/** Contents that are stored at the same time. */
const atOnce = 4

/** Mail that people, and programs, write to an organization. */
export class ReceivedMessages extends Effect.Service<ReceivedMessages>()("services/ReceivedMessages", {
  effect: Effect.gen(function* () {
    const repo = yield* ReceivedMessageRepo
    const objects = yield* ObjectStore

    /** What can't be kept now is kept later: the mail waits, and its worker tries again. */
    const unavailable = (message: string) => new ServiceUnavailableError({ message, retryAfterSeconds: 1 })

    /**
     * Makes a message of a mail, in the thread and conversation of what it answers. Its files are stored before it: a
     * message whose files are missing is never seen. Doing it again changes nothing.
     */
    const receive = Effect.fnUntraced(function* (
      mail: InboundMail,
      read: ReadMail,
      authentication: MailAuthentication
    ): Effect.fn.Return<void, ServiceUnavailableError> {
      // What is erased must not come back either.
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
