import { Schema } from "effect"
import { AttachmentId } from "../attachments/UploadedAttachment.js"
import { distinct, items } from "../Fields.js"
import { htmlOfText } from "../messages/HtmlOfText.js"
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
  inReplyToMessageId: Schema.optional(
    MessageId.annotations({ description: "the message that an e-mail replies to; an extension" })
  ),
  lastEditedAt: Timestamp,
  createdAt: Timestamp,
  createdBy: Schema.optional(Uuid.annotations({ description: "the id of the API key that created the draft" })),
  sentMessageId: Schema.optional(
    MessageId.annotations({ description: "the message of a sent draft, which can't be edited; an extension" })
  )
}) {}

/** An empty text counts as missing. */
const filled = (text: string | undefined): string | undefined => (text === "" ? undefined : text)

/** Removes undefined fields: the schema of a send would treat them as present. */
const withoutUndefined = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** How drafts of a channel become sends. */
interface DraftForm {
  /** The field with the address of a recipient. */
  readonly address: "email" | "phone" | "whatsappId"
  /** Whether recipients have names. */
  readonly hasNames: boolean
  /** The content of the send, in the field of the channel. */
  readonly content: (content: DraftContent, templateId: string | undefined) => Readonly<Record<string, unknown>>
}

const textOf = ({ body, text }: DraftContent) => filled(text) ?? filled(body)

/** Variables can be filled in before a template is chosen. */
const dataOf = ({ variables }: DraftContent, templateId: string | undefined) =>
  templateId === undefined ? undefined : variables

const forms: Readonly<Partial<Record<Channel, DraftForm>>> = {
  email: {
    address: "email",
    hasNames: true,
    content: (content, templateId) => {
      const plain = templateId === undefined ? textOf(content) : filled(content.body)
      return {
        subject: filled(content.subject),
        html: filled(content.html) ?? (plain === undefined ? undefined : htmlOfText(plain)),
        text: textOf(content)
      }
    }
  },
  sms: {
    address: "phone",
    hasNames: false,
    content: (content, templateId) => ({ text: templateId === undefined ? textOf(content) : undefined })
  },
  whatsapp: {
    address: "whatsappId",
    hasNames: false,
    content: (content, templateId) => {
      const body = textOf(content)
      const [attachmentId] = content.attachmentIds ?? []
      if (attachmentId !== undefined) return { media: withoutUndefined({ attachmentId, caption: body }) }
      return { text: templateId === undefined && body !== undefined ? { body } : undefined }
    }
  }
}

/** A recipient without an address is the participant. */
const recipientOf =
  ({ address, hasNames }: DraftForm) =>
  (recipient: DraftRecipient) => {
    const given = filled(recipient[address])
    return withoutUndefined({
      ...(given === undefined ? { contactId: recipient.participantId } : { [address]: given }),
      name: hasNames ? filled(recipient.name) : undefined
    })
  }

/**
 * Converts a draft to a send request without attachments, for validation as a caller's request. The body is plain text.
 * The caller has resolved a template's name to its id. A channel that messages are not sent over has no content.
 */
export const sendOfDraft = ({ channel, content, recipients }: Draft, templateId: string | undefined): unknown => {
  const form = forms[channel]
  if (form === undefined) return { channel }
  return {
    channel,
    to: recipients.map(recipientOf(form)),
    [channel]: withoutUndefined({
      ...form.content(content, templateId),
      templateId,
      templateData: dataOf(content, templateId)
    })
  }
}

type Fields = Readonly<Record<string, ReadonlyArray<string>>>

const channels = Object.keys(forms).join("|")

/** Patterns of send fields, and the corresponding draft fields. */
const names: ReadonlyArray<readonly [RegExp, string]> = [
  [/^to\.(\d+)\.contactId$/, "recipients.$1.participantId"],
  [/^to\.(\d+)\.(\w+)$/, "recipients.$1.$2"],
  [/^to/, "recipients"],
  [new RegExp(`^(?:${channels})\\.from`), "from"],
  [/^(email\.attachments|whatsapp\.media).*/, "content.attachmentIds"],
  [/^whatsapp\.text.*/, "content.text"],
  [/^whatsapp$/, "content"],
  [new RegExp(`^(?:(?:${channels})\\.)?templateData`), "content.variables"],
  [new RegExp(`^(?:${channels})\\.`), "content."]
]

const nameInDraft = (path: string): string => {
  const [pattern, name] = names.find(([pattern]) => pattern.test(path)) ?? [/^/, ""]
  return path.replace(pattern, name)
}

/** The error of a recipient with neither an address nor `contactId`; in a draft the address is missing. */
const unnamed = /^to\.(\d+)$/

/**
 * Renames the fields of a send's validation errors to the fields of the draft. If the channel is invalid, only that
 * error is returned: the other errors are rules of another channel.
 */
export const toDraftFields = (channel: Channel, fields: Fields): Fields =>
  fields.channel === undefined
    ? Object.fromEntries(
        Object.entries(fields).map(([path, sentences]) =>
          unnamed.test(path)
            ? [path.replace(unnamed, `recipients.$1.${forms[channel]?.address ?? "participantId"}`), ["is required"]]
            : [nameInDraft(path), sentences]
        )
      )
    : { channel: fields.channel }
