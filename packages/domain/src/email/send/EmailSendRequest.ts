import { Array, Either, ParseResult, Schema } from "effect"
import { oneOf } from "../../Fields.js"
import { Attachments } from "../../messages/Attachment.js"
import { IdempotencyKey } from "../../messages/IdempotencyKey.js"
import { MessageId } from "../../messages/Message.js"
import { contentForms, contentProblems, Html } from "../../messages/SendEmail.js"
import { SendRecipient } from "../../messages/SendRecipient.js"
import { type EmailSendOrReply, recipientLimit } from "../../messages/SendRequest.js"
import { line } from "../../Text.js"
import { Uuid } from "../../Uuid.js"
import { EmailAddress, MailboxText } from "../EmailAddress.js"
import { TemplateData } from "../templates/Template.js"

const decodeAddress = ParseResult.decodeEither(EmailAddress)
const decodeRecipient = ParseResult.decodeEither(SendRecipient)

const entry = [Schema.String, Schema.encodedSchema(SendRecipient)] as const
const Entry = Schema.Union(...entry)
type Entry = typeof Entry.Type

const decodeEntry = (entry: Entry): Either.Either<EmailAddress | SendRecipient, ParseResult.ParseIssue> =>
  typeof entry === "string" ? decodeAddress(entry) : decodeRecipient(entry, { errors: "all" })

const isList = (value: Entry | ReadonlyArray<Entry>): value is ReadonlyArray<Entry> => Array.isArray(value)

const { oneOf: entries, ...definitions } = oneOf(EmailAddress, SendRecipient)

/** One recipient or a list of recipients. A recipient is an address, or an object as in POST /messages. */
const EmailRecipients = Schema.transformOrFail(
  // A single union: a nested union would add its own error.
  Schema.Union(...entry, Schema.Array(Entry)),
  Schema.Array(Schema.typeSchema(Schema.Union(EmailAddress, SendRecipient))),
  {
    strict: true,
    decode: (value, _, ast) => {
      if (!isList(value)) return Either.map(decodeEntry(value), Array.of)
      const [issues, recipients] = Array.partitionMap(value, (entry, index) =>
        Either.mapLeft(decodeEntry(entry), (issue) => new ParseResult.Pointer(index, entry, issue))
      )
      return Array.isNonEmptyArray(issues)
        ? Either.left(new ParseResult.Composite(ast, value, issues))
        : Either.right(recipients)
    },
    encode: ParseResult.succeed
  }
).annotations({
  jsonSchema: {
    ...definitions,
    oneOf: [...entries, { type: "array", items: { oneOf: entries }, minItems: 1, maxItems: recipientLimit }],
    description: "one email address or a list; an object instead of an address has a display name (an extension)",
    examples: ["ada@example.com", [{ email: "ada@example.com", name: "Ada Lovelace" }]]
  }
})

const Subject = line(1, 200)

const others = {
  to: EmailRecipients.pipe(
    Schema.filter(
      ({ length }) => (length >= 1 && length <= recipientLimit) || `must be 1 to ${recipientLimit} recipients`
    )
  ),
  from: Schema.optional(MailboxText),
  attachments: Schema.optional(Attachments),
  inReplyToMessageId: Schema.optional(MessageId),
  idempotencyKey: Schema.optional(IdempotencyKey)
}

/** The body of POST /email/send. */
export const EmailSendRequest = Schema.Struct({
  ...others,
  subject: Schema.optional(Subject),
  html: Schema.optional(Html),
  text: Schema.optional(Schema.String),
  templateId: Schema.optional(Uuid),
  templateData: Schema.optional(TemplateData)
})
  .pipe(Schema.filter(contentProblems))
  .annotations({ identifier: "EmailSendRequest", jsonSchema: contentForms(Subject, Uuid, others) })
export type EmailSendRequest = typeof EmailSendRequest.Type

/** Converts to the body of POST /messages: both operations share one idempotency identity. */
export const toSendRequest = ({
  idempotencyKey,
  inReplyToMessageId,
  to,
  ...email
}: EmailSendRequest): EmailSendOrReply => ({
  channel: "email",
  to: to.map((recipient) => (typeof recipient === "string" ? { email: recipient } : recipient)),
  email,
  ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  ...(inReplyToMessageId === undefined ? {} : { inReplyToMessageId })
})

const inner = /^email\./

/** Renames the fields of a send's validation errors to the fields of this operation. */
export const toEmailSendFields = (fields: Readonly<Record<string, ReadonlyArray<string>>>) =>
  Object.fromEntries(Object.entries(fields).map(([path, sentences]) => [path.replace(inner, ""), sentences]))
