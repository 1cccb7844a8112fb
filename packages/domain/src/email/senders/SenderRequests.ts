import { Schema } from "effect"
import { SearchText } from "../../Search.js"
import { matching, text } from "../../Text.js"
import { EmailDomainId } from "../domains/EmailDomain.js"
import { EmailAddress } from "../EmailAddress.js"
import { SenderVerification } from "./EmailSender.js"

/** The display name in the From header; characters that could end it are rejected. */
const SenderName = text(1, 200).pipe(
  matching(
    /^ *[^ \x00-\x1f\x7f-\x9f<>"][^\x00-\x1f\x7f-\x9f<>"]*$/,
    "must not contain angle brackets, quotes or control characters, or only spaces"
  )
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
  search: Schema.optional(SearchText)
})
export type EmailSenderFilters = typeof EmailSenderFilters.Type
