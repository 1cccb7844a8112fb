import { Schema } from "effect"
import { choice } from "../../Choice.js"
import { Timestamp } from "../../Timestamp.js"
import { EmailDomainId, EmailDomainStatus } from "./EmailDomain.js"

/** `differs`: the name has other values of this type. */
export const RecordState = choice("ok", "missing", "differs").annotations({ identifier: "RecordState" })
export type RecordState = typeof RecordState.Type

/** An expected record, and the values that name servers return. */
export const RecordReport = Schema.Struct({
  type: Schema.String,
  name: Schema.String,
  expected: Schema.String,
  found: Schema.Array(Schema.String).annotations({ description: "all values found, unchanged" }),
  ok: Schema.Boolean,
  state: RecordState
}).annotations({ identifier: "RecordReport" })
export type RecordReport = typeof RecordReport.Type

/** The state of a domain, and the result of a DNS lookup made for this report. */
export class DomainReport extends Schema.Class<DomainReport>("DomainReport")({
  id: EmailDomainId,
  domain: Schema.String,
  status: EmailDomainStatus,
  verifiedAt: Schema.optional(Timestamp),
  checkedAt: Timestamp,
  records: Schema.Array(RecordReport)
}) {}

/** Whether all required records are found, and the result of the lookup. */
export const DomainVerified = Schema.Struct({
  success: Schema.Boolean,
  records: Schema.Array(RecordReport)
}).annotations({ identifier: "DomainVerified" })
