import { Schema } from "effect"
import { choice } from "../../Fields.js"
import { OrganizationId } from "../../organizations/Organization.js"
import { SearchText } from "../../Search.js"
import { matching, text } from "../../Text.js"
import { Timestamp } from "../../Timestamp.js"
import { Uuid } from "../../Uuid.js"
import { EmailDomainId } from "../domains/EmailDomain.js"
import { EmailAddress } from "../EmailAddress.js"

/** The numbers of a sender's messages by outcome. */
export interface SenderOutcomes {
  /** Messages that were sent, including the ones that bounced later. */
  readonly sent: number
  readonly bounced: number
  readonly complained: number
}

/** How long an outcome counts. */
export const reputationWindow = "30 days"

const perBouncedPercent = 10
const perComplainedPercent = 100

/** 100 less 10 for each percent of bounces and 100 for each percent of complaints; at least 0. */
export const reputation = ({ bounced, complained, sent }: SenderOutcomes): number => {
  if (sent === 0) return 100
  const lost = (100 * (perBouncedPercent * bounced + perComplainedPercent * complained)) / sent
  return Math.max(0, Math.round(100 - lost))
}

export const EmailSenderId = Uuid.pipe(Schema.brand("EmailSenderId"))
export type EmailSenderId = typeof EmailSenderId.Type

export const SenderVerification = choice("pending", "verified", "failed").annotations({
  identifier: "SenderVerification"
})
export type SenderVerification = typeof SenderVerification.Type

/** An address that an organization sends from. */
export class EmailSender extends Schema.Class<EmailSender>("EmailSender")({
  id: EmailSenderId,
  organizationId: OrganizationId,
  domainId: Schema.optional(EmailDomainId),
  email: Schema.String,
  name: Schema.String,
  replyTo: Schema.optional(Schema.String),
  verificationToken: Schema.optional(Schema.String),
  verificationStatus: SenderVerification,
  verifiedAt: Schema.optional(Timestamp),
  isDefault: Schema.Boolean,
  isActive: Schema.Boolean,
  reputation: Schema.Int.annotations({ description: "0 to 100: less for each bounce and complaint of 30 days" }),
  createdAt: Timestamp,
  updatedAt: Timestamp
}) {}

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

/** The verification state of a sender. */
export class SenderStanding extends Schema.Class<SenderStanding>("SenderStanding")({
  id: EmailSenderId,
  verificationStatus: SenderVerification,
  verifiedAt: Schema.optional(Timestamp)
}) {}
