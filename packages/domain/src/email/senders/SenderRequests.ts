import { Schema } from "effect"
import { EmailDomainId } from "../domains/EmailDomain.js"
import { EmailAddress } from "../EmailAddress.js"
import { SenderVerification } from "./EmailSender.js"

const longestName = 200

/** What is shown before the address: in a header, and so without what would end it. */
const SenderName = Schema.String.pipe(
  Schema.filter(
    (text) => (text.trim().length >= 1 && text.length <= longestName) || `must have 1 to ${longestName} characters`
  ),
  Schema.filter((text) => !/[\p{Cc}<>"]/u.test(text) || "must not contain angle brackets, quotes or control characters")
)

/** An address to send from. */
export const CreateEmailSender = Schema.Struct({
  email: EmailAddress,
  name: SenderName,
  replyTo: Schema.optional(EmailAddress),
  isDefault: Schema.optional(Schema.Boolean)
}).annotations({ identifier: "CreateEmailSender" })
export type CreateEmailSender = typeof CreateEmailSender.Type

/** What a list of senders may be narrowed to; `search` looks into address and name. */
export const EmailSenderFilters = Schema.Struct({
  verificationStatus: Schema.optional(SenderVerification),
  domainId: Schema.optional(EmailDomainId),
  isActive: Schema.optional(Schema.Boolean),
  search: Schema.optional(Schema.String)
})
export type EmailSenderFilters = typeof EmailSenderFilters.Type
