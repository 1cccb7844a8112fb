import { Schema } from "effect"
import { Count, Rate } from "../../analytics/MessageCounts.js"
import { Timestamp } from "../../Timestamp.js"

/** The maximum number of sources, failures or reporters in a response. */
export const maxListed = 100

/** A sender of reports. */
const Reporter = Schema.Struct({
  name: Schema.String,
  reports: Count,
  total: Count,
  failed: Count
}).annotations({ identifier: "Reporter" })

/** An address that sends mail of a domain, as receivers reported it. */
export const MailSource = Schema.Struct({
  ip: Schema.String,
  total: Count,
  passed: Count,
  failed: Count,
  dkimPassed: Count,
  spfPassed: Count,
  dispositions: Schema.Struct({ none: Count, quarantine: Count, reject: Count }).annotations({
    identifier: "MailDispositions"
  }),
  headerFrom: Schema.Array(Schema.String),
  reporters: Schema.Array(Schema.String),
  lastSeenAt: Timestamp
}).annotations({ identifier: "MailSource" })
export type MailSource = typeof MailSource.Type

const totals = {
  reports: Count,
  total: Count,
  failed: Count,
  reporters: Schema.Array(Reporter),
  truncated: Schema.Boolean
}

/** Mail that claims to be of a domain (RFC 7489, RFC 9990). */
const DmarcFigures = Schema.Struct({
  ...totals,
  passed: Count,
  passRate: Rate,
  sources: Schema.Array(MailSource)
}).annotations({ identifier: "DmarcFigures" })

/** Sessions that failed alike. */
export const TlsFailure = Schema.Struct({
  type: Schema.String,
  policyType: Schema.String,
  receivingHost: Schema.optional(Schema.String),
  count: Count,
  lastSeenAt: Timestamp
}).annotations({ identifier: "TlsFailure" })
export type TlsFailure = typeof TlsFailure.Type

/** TLS of the sessions that bring mail to a domain (RFC 8460). */
const TlsFigures = Schema.Struct({
  ...totals,
  successful: Count,
  successRate: Rate,
  failures: Schema.Array(TlsFailure)
}).annotations({ identifier: "TlsFigures" })

/** What other mail systems reported about the mail of a domain. */
export const MailReports = Schema.Struct({
  domain: Schema.String,
  startDate: Timestamp,
  endDate: Timestamp,
  dmarc: DmarcFigures,
  tls: TlsFigures
}).annotations({ identifier: "MailReports" })
export type MailReports = typeof MailReports.Type
