import { Schema } from "effect"
import { Timestamp } from "../../Timestamp.js"
import { EmailDomainId, EmailDomainStatus } from "./EmailDomain.js"

/** A record that is asked for, beside what name servers say. */
export const RecordReport = Schema.Struct({
  type: Schema.String,
  name: Schema.String,
  expected: Schema.String,
  found: Schema.Array(Schema.String).annotations({ description: "all that is there, as it is" }),
  ok: Schema.Boolean
}).annotations({ identifier: "RecordReport" })
export type RecordReport = typeof RecordReport.Type

/** How a domain stands, and what name servers say of it now. */
export class DomainReport extends Schema.Class<DomainReport>("DomainReport")({
  id: EmailDomainId,
  domain: Schema.String,
  status: EmailDomainStatus,
  verifiedAt: Schema.optional(Timestamp),
  records: Schema.Array(RecordReport)
}) {}

/** Whether all stands that must. */
export const DomainVerified = Schema.Struct({ success: Schema.Boolean }).annotations({ identifier: "DomainVerified" })
