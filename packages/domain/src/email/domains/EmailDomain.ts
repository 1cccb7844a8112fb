import { Schema } from "effect"
import { choice, clearable } from "../../Fields.js"
import { SearchText } from "../../Search.js"
import { filledText } from "../../Text.js"
import { Timestamp } from "../../Timestamp.js"
import { Uuid } from "../../Uuid.js"
import { DomainPause } from "./DomainPause.js"

const minLength = 3
const maxLength = 255

/** Labels have at most 63 characters and no hyphen at either end. The last label has only letters, or is an A-label. */
const form = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/

const problemOf = (name: string): string | undefined => {
  // The length is checked first, to bound the cost of the expression that follows.
  if (name.length < minLength || name.length > maxLength) return `must have ${minLength} to ${maxLength} characters`
  return form.test(name)
    ? undefined
    : "must be a domain like example.com in lower case: labels of letters, digits and hyphens, the last of at least 2 letters"
}

/** A domain in lower case; internationalized labels are A-labels. */
export const DomainName = Schema.String.pipe(Schema.filter(problemOf)).annotations({
  identifier: "DomainName",
  description: "a domain",
  jsonSchema: {
    type: "string",
    minLength,
    maxLength,
    pattern: form.source,
    examples: ["example.com"]
  }
})

export const EmailDomainId = Uuid.pipe(Schema.brand("EmailDomainId"))
export type EmailDomainId = typeof EmailDomainId.Type

/** `degraded`: a later DNS check failed; the domain can send for 72 more hours. */
export const EmailDomainStatus = choice("pending", "verified", "degraded", "failed").annotations({
  identifier: "EmailDomainStatus"
})
export type EmailDomainStatus = typeof EmailDomainStatus.Type

/** The statuses of a domain that the organization has proven to control. It can receive mail, and has it alone. */
export const controlledStatuses = ["verified", "degraded"] as const satisfies ReadonlyArray<EmailDomainStatus>

/** Whether the organization has proven to control a domain with this status. */
export const isControlled = (status: EmailDomainStatus): boolean => controlledStatuses.some((one) => one === status)

/** A DNS record for the domain's owner to publish. */
export const DnsRecord = Schema.Struct({
  type: Schema.String,
  name: Schema.String,
  value: Schema.String,
  ttl: Schema.String,
  description: Schema.String,
  priority: Schema.optional(Schema.Int)
}).annotations({ identifier: "DnsRecord" })
export type DnsRecord = typeof DnsRecord.Type

/** A domain that an organization sends from. */
export class EmailDomain extends Schema.Class<EmailDomain>("EmailDomain")({
  id: EmailDomainId,
  domain: Schema.String,
  status: EmailDomainStatus,
  verifiedAt: Schema.optional(Timestamp),
  dnsRecords: Schema.Array(DnsRecord),
  dkimTokens: Schema.Array(Schema.String).annotations({
    description: "the public keys (base64) of the selectors sm1 and sm2, in this order"
  }),
  verificationToken: Schema.String,
  trackOpens: Schema.Boolean.annotations({
    description: "the default of `trackOpens` for mail from the domain, an extension"
  }),
  trackClicks: Schema.Boolean.annotations({
    description: "the default of `trackClicks` for mail from the domain, an extension"
  }),
  trackingDomain: Schema.optional(
    Schema.String.annotations({
      description: "the host of the links in tracked mail, once its record is found; an extension"
    })
  ),
  pause: Schema.optional(DomainPause),
  createdAt: Timestamp,
  updatedAt: Timestamp
}) {}

/** A domain to send from. */
export const CreateEmailDomain = Schema.Struct({
  domain: DomainName,
  trackOpens: Schema.optional(Schema.Boolean),
  trackClicks: Schema.optional(Schema.Boolean),
  trackingDomain: Schema.optional(DomainName)
}).annotations({ identifier: "CreateEmailDomain" })
export type CreateEmailDomain = typeof CreateEmailDomain.Type

/** Changes of a domain's tracking. */
export const UpdateEmailDomain = Schema.Struct({
  trackOpens: clearable(Schema.Boolean),
  trackClicks: clearable(Schema.Boolean),
  trackingDomain: clearable(DomainName)
}).annotations({ identifier: "UpdateEmailDomain" })
export type UpdateEmailDomain = typeof UpdateEmailDomain.Type

/** A request for one of the organization's domains, by name. */
export const NamedEmailDomain = Schema.Struct({
  domain: filledText
}).annotations({ identifier: "NamedEmailDomain" })
export type NamedEmailDomain = typeof NamedEmailDomain.Type

/** Filters of a list of domains; `search` matches the name. */
export const EmailDomainFilters = Schema.Struct({
  status: Schema.optional(EmailDomainStatus),
  search: Schema.optional(SearchText)
})
export type EmailDomainFilters = typeof EmailDomainFilters.Type

/** `differs`: the name has other values of this type. */
const RecordState = choice("ok", "missing", "differs").annotations({ identifier: "RecordState" })

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
