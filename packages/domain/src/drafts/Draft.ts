import { Schema } from "effect"
import { AttachmentId } from "../attachments/UploadedAttachment.js"
import { Channel, MessageId } from "../messages/Message.js"
import { TemplateReference } from "../messages/SendRequest.js"
import { OrganizationId } from "../organizations/Organization.js"
import { ParticipantId } from "../participants/Participant.js"
import { Timestamp } from "../Timestamp.js"
import { Uuid } from "../Uuid.js"

export const DraftId = Uuid.pipe(Schema.brand("DraftId"))
export type DraftId = typeof DraftId.Type

const text = (description: string) => Schema.optional(Schema.String.annotations({ description }))

/** Whom a draft is to, as far as its writer has come. */
export const DraftRecipient = Schema.Struct({
  participantId: Schema.optional(ParticipantId),
  email: text("where an e-mail goes; without one it goes to the participant's address"),
  phone: Schema.optional(Schema.String),
  whatsappId: Schema.optional(Schema.String),
  name: Schema.optional(Schema.String)
}).annotations({ identifier: "DraftRecipient" })
export type DraftRecipient = typeof DraftRecipient.Type

/** What a draft says, as far as its writer has come. */
export const DraftContent = Schema.Struct({
  subject: Schema.optional(Schema.String),
  body: text("plain text: the HTML is made from it where there is none, and it is the text where there is none"),
  html: Schema.optional(Schema.String),
  text: Schema.optional(Schema.String),
  templateId: Schema.optional(TemplateReference),
  templateName: text("a template by its name, where no id is given"),
  ast: Schema.optional(
    Schema.Record({ key: Schema.String, value: Schema.Unknown }).annotations({
      description: "an editor's own form of the content: it is kept, and never sent"
    })
  ),
  variables: Schema.optional(
    Schema.Record({ key: Schema.String, value: Schema.String }).annotations({
      description: "a map of what the template is filled with"
    })
  ),
  attachmentIds: Schema.optional(Schema.Array(AttachmentId))
}).annotations({ identifier: "DraftContent" })
export type DraftContent = typeof DraftContent.Type

/** A message that is still being written, or was: it is sent once. */
export class Draft extends Schema.Class<Draft>("Draft")({
  id: DraftId,
  organizationId: OrganizationId,
  channel: Channel,
  recipients: Schema.Array(DraftRecipient),
  content: DraftContent,
  title: Schema.optional(Schema.String),
  lastEditedAt: Timestamp,
  createdAt: Timestamp,
  createdBy: Schema.optional(Uuid.annotations({ description: "the id of the API key that made it" })),
  sentMessageId: Schema.optional(
    MessageId.annotations({ description: "the message that it was sent as, an extension: it is not edited any more" })
  )
}) {}
