import { Schema } from "effect"
import { OrganizationId } from "../../organizations/Organization.js"
import { Timestamp } from "../../Timestamp.js"
import { Uuid } from "../../Uuid.js"
import { EmailAddress } from "../EmailAddress.js"

export const ForwardingRuleId = Uuid.pipe(Schema.brand("ForwardingRuleId"))
export type ForwardingRuleId = typeof ForwardingRuleId.Type

/** The conditions of a rule; all given conditions must match. */
export interface ForwardingMatch {
  readonly recipient?: string | undefined
  readonly sender?: string | undefined
  readonly subjectContains?: string | undefined
}

/** Replaces the From address by the address that received the mail, so that the mail passes DMARC for this domain. */
export const RewriteFrom = Schema.Boolean.annotations({
  description:
    "whether mail of senders with a DMARC policy of `quarantine` or `reject` is forwarded with a rewritten From; an extension"
})

/** A rule that forwards mail. Of several matching rules the one with the lowest `priority` applies, then the oldest. */
export class ForwardingRule extends Schema.Class<ForwardingRule>("ForwardingRule")({
  id: ForwardingRuleId,
  organizationId: OrganizationId,
  name: Schema.String,
  match: Schema.Struct({
    recipient: Schema.optional(Schema.String),
    sender: Schema.optional(Schema.String),
    subjectContains: Schema.optional(Schema.String)
  }),
  forwardTo: Schema.Array(EmailAddress),
  keepCopy: Schema.Boolean,
  rewriteFrom: RewriteFrom,
  priority: Schema.Int,
  isActive: Schema.Boolean,
  matchCount: Schema.Int,
  lastMatchedAt: Schema.optional(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp
}) {}
