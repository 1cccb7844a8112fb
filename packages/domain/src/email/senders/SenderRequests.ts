import { Schema } from "effect"
import { EmailDomainId } from "../domains/EmailDomain.js"
import { EmailAddress } from "../EmailAddress.js"
import { SenderVerification } from "./EmailSender.js"

const maxNameLength = 200

/** The display name in the From header; characters that could end it are rejected. */
const SenderName = Schema.String.pipe(
  Schema.filter(
    (text) => (text.trim().length >= 1 && text.length <= maxNameLength) || `must have 1 to ${maxNameLength} characters`
  ),
  Schema.filter((text) => !/[\p{Cc}<>"]/u.test(text) || "must not contain angle brackets, quotes or control characters")
)

/** A new sender address. */
export const CreateEmailSender = Schema.Struct({
  email: EmailAddress,
  name: SenderName,
  replyTo: Schema.optional(EmailAddress),
  isDefault: Schema.optional(Schema.Boolean)
}).annotations({ identifier: "CreateEmailSender" })
export type CreateEmailSender = typeof CreateEmailSender.Type

/** Filters of a list of senders; `search` matches address and name. */
export const EmailSenderFilters = Schema.Struct({
  verificationStatus: Schema.optional(SenderVerification),
  domainId: Schema.optional(EmailDomainId),
  isActive: Schema.optional(Schema.Boolean),
  search: Schema.optional(Schema.String)
})
export type EmailSenderFilters = typeof EmailSenderFilters.Type
