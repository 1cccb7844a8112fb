import { MailboxText, mailboxText } from "@switchboard/domain/email/EmailAddress"
import { AttachmentContent, FileContent } from "@switchboard/domain/messages/Attachment"
import { type EmailMessage, MessageId } from "@switchboard/domain/messages/Message"
import { IsoDateTime } from "@switchboard/domain/Timestamp"
import { DateTime, JSONSchema, Predicate, Schema } from "effect"

/** One mailbox or a list of them. */
const Mailboxes = Schema.transform(
  Schema.Union(Schema.String, Schema.Array(Schema.String)),
  Schema.Array(MailboxText),
  { strict: true, decode: (value) => (Predicate.isString(value) ? [value] : value), encode: (list) => list }
).annotations({
  jsonSchema: {
    anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }],
    description: "an email address, `Name <address>`, or a list of them"
  }
})

const Octet = Schema.Int.pipe(Schema.between(0, 255))

/** The content of a file: base64, or its octets as numbers (resend-python). */
const Content = Schema.Union(
  ...AttachmentContent.members,
  Schema.transform(Schema.Array(Octet), Schema.instanceOf(FileContent), {
    strict: true,
    decode: (octets) => new FileContent(Uint8Array.from(octets)),
    encode: ({ octets }) => [...octets]
  })
).annotations({
  jsonSchema: {
    anyOf: [
      { type: "string", contentEncoding: "base64" },
      { type: "array", items: { type: "integer", minimum: 0, maximum: 255 } }
    ],
    description: "the file in base64, or its octets as numbers"
  }
})

/** A field that can be left out, or be null: clients like Laravel send null for what a mail does not have. */
const optional = <A, I, R>(schema: Schema.Schema<A, I, R>) => Schema.optionalWith(schema, { nullable: true })

/** An object with any names. PHP encodes an empty one as `[]`. */
const recordOf = <A, I, R>(value: Schema.Schema<A, I, R>) => {
  const record = Schema.Record({ key: Schema.String, value })
  const { $schema: _, ...jsonSchema } = JSONSchema.make(record)
  return Schema.transform(Schema.Unknown, record, {
    strict: false,
    decode: (given) => (Array.isArray(given) && given.length === 0 ? {} : given),
    encode: (given) => given
  }).annotations({ jsonSchema })
}

const ResendAttachment = Schema.Struct({
  filename: optional(Schema.String),
  content: optional(Content),
  path: optional(Schema.String.annotations({ description: "not supported: files are not fetched from URLs" })),
  content_type: optional(Schema.String),
  content_id: optional(Schema.String),
  inline_content_id: optional(Schema.String.annotations({ description: "the same as `content_id`" }))
}).pipe(
  Schema.filter(({ path }) =>
    path === undefined
      ? []
      : [{ path: ["path"], message: "is not supported: files are not fetched from URLs; send the content in base64" }]
  )
)

/** A part of a tag: it has no colon, by which a tag of this service separates name and value. */
const TagPart = Schema.String.pipe(
  Schema.filter(
    (text) => /^[A-Za-z0-9_-]{1,256}$/.test(text) || "must have only ASCII letters, digits, underscores and dashes"
  )
)

/** A name and a value. Together they have at most 99 characters: a tag of this service has at most 100. */
const ResendTag = Schema.Struct({ name: TagPart, value: TagPart })

/** A time as the SDKs write it, without natural language. */
export const ScheduledAt = Schema.compose(
  Schema.String.pipe(
    Schema.filter(
      (text) =>
        /^\d{4}-/.test(text) || "must be an ISO 8601 date-time: natural language like `in 1 hour` is not supported"
    )
  ),
  IsoDateTime
).annotations({
  description: "an ISO 8601 date-time with its zone",
  jsonSchema: { type: "string", format: "date-time" }
})

/** The body of POST /emails, and an item of POST /emails/batch. */
export const ResendSend = Schema.Struct({
  from: optional(Schema.String),
  to: Mailboxes,
  subject: optional(Schema.String),
  cc: optional(Mailboxes),
  bcc: optional(Mailboxes),
  reply_to: optional(Mailboxes),
  html: optional(Schema.String),
  text: optional(Schema.String),
  template: optional(Schema.Struct({ id: Schema.String, variables: optional(recordOf(Schema.Unknown)) })),
  headers: optional(recordOf(Schema.String)),
  scheduled_at: optional(ScheduledAt),
  attachments: optional(Schema.Array(ResendAttachment)),
  tags: optional(Schema.Array(ResendTag))
})
  .pipe(
    Schema.filter(({ from, template }) =>
      from === undefined && template === undefined ? [{ path: ["from"], message: "is required" }] : []
    )
  )
  .annotations({ identifier: "SendEmailRequest" })
export type ResendSend = typeof ResendSend.Type

const recipients = (mailboxes: typeof Mailboxes.Type) =>
  mailboxes.map(({ address, name }) => ({ email: address, ...(name === undefined ? {} : { name }) }))

/** The body of POST /messages that sends the same e-mail. */
export const toSendBody = ({
  attachments,
  bcc,
  cc,
  reply_to,
  scheduled_at,
  tags,
  template,
  to,
  ...content
}: ResendSend) => ({
  channel: "email",
  to: recipients(to),
  ...(cc === undefined ? {} : { cc: recipients(cc) }),
  ...(bcc === undefined ? {} : { bcc: recipients(bcc) }),
  ...(scheduled_at === undefined ? {} : { scheduledAt: DateTime.formatIso(scheduled_at) }),
  ...(tags === undefined ? {} : { tags: tags.map(({ name, value }) => `${name}:${value}`) }),
  email: {
    ...content,
    ...(reply_to === undefined ? {} : { replyTo: reply_to.map(mailboxText) }),
    ...(template === undefined ? {} : { templateId: template.id, templateData: template.variables ?? {} }),
    ...(attachments === undefined
      ? {}
      : {
          attachments: attachments.map(
            ({ content_type, inline_content_id, content_id = inline_content_id, path: _, ...file }) => ({
              ...file,
              ...(content_type === undefined ? {} : { contentType: content_type }),
              ...(content_id === undefined ? {} : { contentId: content_id })
            })
          )
        })
  }
})

/** The fields of POST /messages that have another name here. */
const renamed: ReadonlyArray<readonly [RegExp, string]> = [
  [/^((?:to|cc|bcc)\.\d+)\.\w+$/, "$1"],
  [/^(?:email\.)?templateData\b/, "template.variables"],
  [/^email\.templateId$/, "template.id"],
  [/^email\.replyTo\b/, "reply_to"],
  [/^email\./, ""],
  [/^scheduledAt$/, "scheduled_at"],
  [/^(attachments\.\d+)\.contentType$/, "$1.content_type"],
  [/^(attachments\.\d+)\.contentId$/, "$1.content_id"]
]

/** The name of a field of POST /messages in this API. */
export const toResendField = (field: string): string =>
  renamed.reduce((name, [form, replacement]) => name.replace(form, replacement), field)

/** The id of an e-mail, as the response to its send. */
export const EmailId = Schema.Struct({ id: MessageId }).annotations({ identifier: "SendEmailResponse" })

const LastEvent = Schema.Literal(
  "bounced",
  "canceled",
  "clicked",
  "complained",
  "delivered",
  "delivery_delayed",
  "failed",
  "opened",
  "queued",
  "scheduled",
  "sent",
  "suppressed"
)

const addresses = Schema.NullOr(Schema.mutable(Schema.Array(Schema.String)))

/** The fields that sent and received e-mails have. */
export const mailFields = {
  id: MessageId,
  message_id: Schema.String.annotations({ description: "the Message-ID header (RFC 5322)" }),
  from: Schema.String,
  to: Schema.mutable(Schema.Array(Schema.String)),
  cc: addresses,
  bcc: addresses,
  reply_to: addresses,
  subject: Schema.String,
  created_at: Schema.String
}

const listedFields = { ...mailFields, scheduled_at: Schema.NullOr(Schema.String), last_event: LastEvent }

/** An e-mail in a list. */
export const ListedEmail = Schema.Struct(listedFields).annotations({ identifier: "ListedEmail" })

/** A sent e-mail. */
export const ResendEmail = Schema.Struct({
  object: Schema.Literal("email"),
  ...listedFields,
  html: Schema.NullOr(Schema.String),
  text: Schema.NullOr(Schema.String),
  tags: Schema.mutable(Schema.Array(Schema.Struct({ name: Schema.String, value: Schema.String })))
}).annotations({ identifier: "Email" })

const lastEvent = ({ emailMetadata, errorDetails, status }: EmailMessage): typeof LastEvent.Type => {
  switch (status) {
    case "pending":
    case "processing":
      return "queued"
    case "queued":
      return emailMetadata.deliveries.some((delivery) => delivery.status === "deferred") ? "delivery_delayed" : "queued"
    case "read":
      return emailMetadata.clicks?.some(({ isLikelyBot }) => !isLikelyBot) === true ? "clicked" : "opened"
    case "failed":
      if (errorDetails?.code === "cancelled") return "canceled"
      return emailMetadata.deliveries.every((delivery) => delivery.status === "suppressed") ? "suppressed" : "failed"
    default:
      return status
  }
}

const listOrNull = (list: ReadonlyArray<string>) => (list.length === 0 ? null : [...list])

/** The fields that sent and received e-mails have. */
export const toMail = ({ content, createdAt, emailMetadata, id }: EmailMessage) => ({
  id,
  message_id: emailMetadata.messageId,
  from: content.from,
  to: [...emailMetadata.to],
  cc: listOrNull(emailMetadata.cc),
  bcc: listOrNull(emailMetadata.bcc),
  reply_to: listOrNull(content.replyTo),
  subject: content.subject,
  created_at: DateTime.formatIso(createdAt)
})

/** A sent e-mail in a list. */
export const toListedEmail = (message: EmailMessage): typeof ListedEmail.Type => ({
  ...toMail(message),
  scheduled_at: message.scheduledAt === null ? null : DateTime.formatIso(message.scheduledAt),
  last_event: lastEvent(message)
})

/** A tag of this service as a pair: a tag that is no pair has an empty value. */
const toPair = (tag: string) => {
  const [name = "", ...value] = tag.split(":")
  return { name, value: value.join(":") }
}

const textOrNull = (text: string) => (text === "" ? null : text)

/** The bodies of an e-mail. */
export const toBodies = ({ content: { html, text } }: EmailMessage) => ({
  html: textOrNull(html),
  text: textOrNull(text)
})

/** A sent e-mail. */
export const toResendEmail = (message: EmailMessage): typeof ResendEmail.Type => ({
  object: "email",
  ...toListedEmail(message),
  ...toBodies(message),
  tags: message.tags.map(toPair)
})
