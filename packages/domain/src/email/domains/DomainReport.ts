import { Schema } from "effect"
import { Timestamp } from "../../Timestamp.js"
import { EmailDomainId, EmailDomainStatus } from "./EmailDomain.js"

/** An expected record, and the values that name servers return. */
export const RecordReport = Schema.Struct({
  type: Schema.String,
  name: Schema.String,
  expected: Schema.String,
  found: Schema.Array(Schema.String).annotations({ description: "all values found, unchanged" }),
  ok: Schema.Boolean
}).annotations({ identifier: "RecordReport" })
export type RecordReport = typeof RecordReport.Type

/** The state of a domain, and the result of a DNS lookup made for this report. */
export class DomainReport extends Schema.Class<DomainReport>("DomainReport")({
  id: EmailDomainId,
  domain: Schema.String,
  status: EmailDomainStatus,
  verifiedAt: Schema.optional(Timestamp),
  records: Schema.Array(RecordReport)
}) {}

/** Whether all required records are found. */
export const DomainVerified = Schema.Struct({ success: Schema.Boolean }).annotations({ identifier: "DomainVerified" })
