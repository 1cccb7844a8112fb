import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import type { EmailRecord } from "@switchboard/domain/email/records/EmailRecord"
import { type EmailMessage, MessageId } from "@switchboard/domain/messages/Message"
import { Uuid } from "@switchboard/domain/Uuid"
import { Schema } from "effect"
import { Permission } from "../Annotations.js"
import { Authorization } from "../Authorization.js"
import { mailFields, toBodies, toMail } from "./ResendEmail.js"
import { ResendFile, ResendList, ResendListParams, RetrievedFile } from "./ResendShapes.js"

const id = Schema.Struct({ id: MessageId })

const InboundFile = Schema.Struct({
  id: Uuid,
  filename: Schema.NullOr(Schema.String),
  size: Schema.Int.annotations({ description: "the size in bytes" }),
  content_type: Schema.String,
  content_id: Schema.NullOr(Schema.String),
  content_disposition: Schema.NullOr(Schema.String)
})

const receivedFields = {
  ...mailFields,
  received_for: Schema.mutable(Schema.Array(Schema.String)).annotations({
    description: "the recipients of the SMTP session"
  }),
  attachments: Schema.mutable(Schema.Array(InboundFile))
}

/** A received e-mail in a list. */
export const ListedReceived = Schema.Struct(receivedFields).annotations({ identifier: "ListedReceivedEmail" })

/** A received e-mail. */
export const ResendReceived = Schema.Struct({
  object: Schema.Literal("email"),
  ...receivedFields,
  html: Schema.NullOr(Schema.String),
  text: Schema.NullOr(Schema.String),
  headers: Schema.mutable(Schema.Record({ key: Schema.String, value: Schema.String })),
  raw: Schema.Null.annotations({ description: "the octets of the mail have no link: see `GET /v1/email/{id}/raw`" })
}).annotations({ identifier: "ReceivedEmail" })

type Files = EmailRecord["attachments"]

/** A received e-mail in a list. */
export const toListedReceived = (message: EmailMessage, files: Files): typeof ListedReceived.Type => ({
  ...toMail(message),
  received_for: message.emailMetadata.deliveries.map(({ recipient }) => recipient),
  attachments: files.map(({ contentId = null, contentType, filename, id, size }) => ({
    id,
    filename,
    size,
    content_type: contentType,
    content_id: contentId,
    content_disposition: contentId === null ? "attachment" : "inline"
  }))
})

/** A received e-mail. */
export const toResendReceived = (
  message: EmailMessage,
  { attachments, headers }: EmailRecord
): typeof ResendReceived.Type => ({
  object: "email",
  ...toListedReceived(message, attachments),
  ...toBodies(message),
  headers: { ...headers },
  raw: null
})

/** Received emails. */
export class ResendReceivingApi extends HttpApiGroup.make("receiving")
  .add(
    HttpApiEndpoint.get("list", "/emails/receiving")
      .setUrlParams(ResendListParams)
      .addSuccess(ResendList(ListedReceived).annotations({ identifier: "ListReceivedEmailsResponse" }))
      .annotate(Permission, "email.read")
      .annotate(OpenApi.Summary, "List received emails")
      .annotate(OpenApi.Description, "Received emails, newest first.")
  )
  .add(
    HttpApiEndpoint.get("get", "/emails/receiving/:id")
      .setPath(id)
      .addSuccess(ResendReceived)
      .annotate(Permission, "email.read")
      .annotate(OpenApi.Summary, "Retrieve a received email")
      .annotate(OpenApi.Description, "Returns the content, the headers and the files of a received email.")
  )
  .add(
    HttpApiEndpoint.get("attachments", "/emails/receiving/:id/attachments")
      .setPath(id)
      .setUrlParams(ResendListParams)
      .addSuccess(ResendList(ResendFile).annotations({ identifier: "ListReceivedAttachmentsResponse" }))
      .annotate(Permission, "email.read")
      .annotate(OpenApi.Summary, "List the files of a received email")
      .annotate(OpenApi.Description, "Each file has a download link, valid for 15 minutes.")
  )
  .add(
    HttpApiEndpoint.get("attachment", "/emails/receiving/:id/attachments/:attachmentId")
      .setPath(Schema.Struct({ id: MessageId, attachmentId: Uuid }))
      .addSuccess(RetrievedFile)
      .annotate(Permission, "email.read")
      .annotate(OpenApi.Summary, "Retrieve a file of a received email")
      .annotate(OpenApi.Description, "The file has a download link, valid for 15 minutes.")
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Received emails") {}
