import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import type { EmailAttachment } from "@switchboard/domain/email/records/EmailRecord"
import { type EmailMessage, isEmail, type MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { EmailRecords } from "@switchboard/services/email/records/EmailRecords"
import { decodeMessage } from "@switchboard/services/messages/MessageRepo"
import { Messages } from "@switchboard/services/messages/Messages"
import { linkLifetime } from "@switchboard/services/objects/ObjectLinks"
import { DateTime, Effect } from "effect"
import { CurrentCaller } from "../Authorization.js"
import { pageOf, type ResendFile, type ResendListParams, resendPage } from "./ResendShapes.js"

/** A file whose link was made at `now` or later. */
const toResendFile =
  (now: DateTime.Utc) =>
  ({ contentId, contentType, filename, id, size, url }: EmailAttachment): typeof ResendFile.Type => ({
    id,
    filename,
    size,
    content_type: contentType,
    content_disposition: contentId === undefined ? "attachment" : "inline",
    ...(contentId === undefined ? {} : { content_id: contentId }),
    download_url: url,
    expires_at: DateTime.formatIso(DateTime.addDuration(now, linkLifetime))
  })

interface FilesRequest {
  readonly path: { readonly id: MessageId }
  readonly urlParams: typeof ResendListParams.Type
}

interface FileRequest {
  readonly path: { readonly id: MessageId; readonly attachmentId: string }
}

/** Reads the sent or the received e-mails of an organization, and their files. */
export const resendMails = Effect.fnUntraced(function* (direction: EmailMessage["direction"]) {
  const messages = yield* Messages
  const records = yield* EmailRecords

  const get = Effect.fnUntraced(function* (organization: OrganizationId, id: MessageId) {
    const message = yield* messages.get(organization, id)
    return isEmail(message) && message.direction === direction
      ? message
      : yield* new ResourceNotFoundError({ resource: "email", id })
  })

  /** A page of the e-mails, newest first. */
  const list = Effect.fnUntraced(function* (organization: OrganizationId, params: typeof ResendListParams.Type) {
    const page = yield* messages.list(organization, { channel: "email", direction }, yield* resendPage(params))
    return { ...page, items: page.items.map(decodeMessage).filter(isEmail) }
  })

  const filesOf = Effect.fnUntraced(function* (organization: OrganizationId, id: MessageId) {
    yield* get(organization, id)
    const now = yield* DateTime.now
    return (yield* records.attachments(organization, id)).map(toResendFile(now))
  })

  /** The handler of the list of files. */
  const attachments = Effect.fnUntraced(function* ({ path: { id }, urlParams }: FilesRequest) {
    const { organizationId } = yield* CurrentCaller
    return pageOf(yield* filesOf(organizationId, id), urlParams)
  })

  /** The handler of one file. */
  const attachment = Effect.fnUntraced(function* ({ path: { attachmentId, id } }: FileRequest) {
    const { organizationId } = yield* CurrentCaller
    const found = (yield* filesOf(organizationId, id)).find((file) => file.id === attachmentId)
    return found === undefined
      ? yield* new ResourceNotFoundError({ resource: "attachment", id: attachmentId })
      : { object: "attachment" as const, ...found }
  })

  return { get, list, attachments, attachment } as const
})
