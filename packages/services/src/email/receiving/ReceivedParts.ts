import type { MessageId } from "@switchboard/domain/messages/Message"
import { type ObjectKey, objectKey } from "@switchboard/domain/objects/ObjectKey"
import { DateTime } from "effect"
import { newUuid } from "../../NewUuid.js"
import type { InboundMail } from "./InboundMail.js"
import type { ReadPart } from "./ReadMail.js"
import type { ReceivedAttachment } from "./ReceivedMessageRepo.js"

const mediaType = /^[a-z0-9][\w.+-]{0,126}\/[a-z0-9][\w.+-]{0,126}$/i
const longestContentId = 255

/** A mail in a mail is a file of its own kind. */
const nameless = (contentType: string, position: number): string =>
  `attachment-${position + 1}${contentType === "message/rfc822" ? ".eml" : ""}`

/** Where a part of a mail is kept: the same at every try, so that a repeat takes the place of what was there. */
export const partKey = (mail: Pick<InboundMail, "id" | "organizationId">, position: number): ObjectKey =>
  objectKey(mail.organizationId, "mail", mail.id satisfies MessageId, String(position))

/** The files of a mail as they are listed. */
export const receivedAttachments = (
  mail: InboundMail,
  parts: ReadonlyArray<ReadPart>
): ReadonlyArray<ReceivedAttachment> =>
  parts.map((part, position) => {
    const given = part.contentType.toLowerCase()
    const contentType = mediaType.test(given) ? given : "application/octet-stream"
    const contentId = part.contentId?.replaceAll(/[<>\s]/g, "").slice(0, longestContentId) ?? ""
    return {
      id: newUuid({ msecs: DateTime.toEpochMillis(mail.receivedAt) }),
      filename: part.filename ?? nameless(contentType, position),
      contentType,
      contentId: contentId === "" ? null : contentId,
      size: part.content.byteLength,
      key: partKey(mail, position)
    }
  })
