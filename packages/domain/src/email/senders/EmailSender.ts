import { Schema } from "effect"
import { choice } from "../../Choice.js"
import { OrganizationId } from "../../organizations/Organization.js"
import { Timestamp } from "../../Timestamp.js"
import { Uuid } from "../../Uuid.js"
import { EmailDomainId } from "../domains/EmailDomain.js"

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
