import { Schema } from "effect"
import { AttachmentId } from "../attachments/UploadedAttachment.js"
import { distinct, items } from "../Items.js"
import { Channel, MessageId } from "../messages/Message.js"
import { TemplateReference } from "../messages/SendEmail.js"
import { OrganizationId } from "../organizations/Organization.js"
import { ParticipantId } from "../participants/Participant.js"
import { Timestamp } from "../Timestamp.js"
import { Uuid } from "../Uuid.js"

export const DraftId = Uuid.pipe(Schema.brand("DraftId"))
export type DraftId = typeof DraftId.Type

const text = (description: string) => Schema.optional(Schema.String.annotations({ description }))

/** A recipient of a draft; every field can still be missing. */
export const DraftRecipient = Schema.Struct({
  participantId: Schema.optional(ParticipantId),
  email: text("the address of an e-mail; default: the participant's address"),
  phone: Schema.optional(Schema.String),
  whatsappId: Schema.optional(Schema.String),
  name: Schema.optional(Schema.String)
}).annotations({ identifier: "DraftRecipient" })
export type DraftRecipient = typeof DraftRecipient.Type

/** The content of a draft; every field can still be missing. */
export const DraftContent = Schema.Struct({
  subject: Schema.optional(Schema.String),
  body: text("plain text, used as the text and converted to the HTML if these are omitted"),
  html: Schema.optional(Schema.String),
  text: Schema.optional(Schema.String),
  templateId: Schema.optional(TemplateReference),
  templateName: text("the name of a template, used if the id is omitted"),
  ast: Schema.optional(
    Schema.Record({ key: Schema.String, value: Schema.Unknown }).annotations({
      description: "an editor's representation of the content: stored, never sent"
    })
  ),
  variables: Schema.optional(
    Schema.Record({ key: Schema.String, value: Schema.String }).annotations({
      description: "a map of template variables"
    })
  ),
  attachmentIds: Schema.optional(Schema.Array(AttachmentId).pipe(items(0, 20), distinct))
}).annotations({ identifier: "DraftContent" })
export type DraftContent = typeof DraftContent.Type

/** A message that is being written. It is sent once. */
export class Draft extends Schema.Class<Draft>("Draft")({
  id: DraftId,
  organizationId: OrganizationId,
  channel: Channel,
  recipients: Schema.Array(DraftRecipient),
  content: DraftContent,
  title: Schema.optional(Schema.String),
  lastEditedAt: Timestamp,
  createdAt: Timestamp,
  createdBy: Schema.optional(Uuid.annotations({ description: "the id of the API key that created the draft" })),
  sentMessageId: Schema.optional(
    MessageId.annotations({ description: "the message of a sent draft, which can't be edited; an extension" })
  )
}) {}
