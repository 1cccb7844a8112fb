import {
  CreateEmailDomain,
  type DnsRecord,
  type DomainReport,
  type EmailDomain,
  EmailDomainId,
  UpdateEmailDomain
} from "@switchboard/domain/email/domains/EmailDomain"
import { DateTime, Schema } from "effect"
import { decodeBody } from "../http/body/DecodeBody.js"
import { onlyField, renameBy, renameFields } from "./ResendShapes.js"

const region = "us-east-1"

const tls = onlyField(["opportunistic"], "must be `opportunistic`: the setting MX_TLS requires TLS for all domains")

const settings = {
  open_tracking: Schema.optional(Schema.Boolean),
  click_tracking: Schema.optional(Schema.Boolean),
  tracking_subdomain: Schema.optional(
    Schema.String.annotations({ description: "the host of the links in tracked mail, below the domain" })
  ),
  tls
}

const sending = onlyField(["enabled"], "must be `enabled`: every domain sends")

/** The body of POST /domains. */
export const ResendNewDomain = Schema.Struct({
  name: Schema.String,
  region: onlyField([region], `must be \`${region}\` or left out: this service has no regions`),
  custom_return_path: onlyField(["bounce"], "must be `bounce` or left out: the return path is always bounce.<domain>"),
  capabilities: Schema.optional(
    Schema.Struct({
      sending,
      receiving: onlyField(
        ["disabled"],
        "must be `disabled`: enable it for the verified domain with POST /v1/email/domains/enable-receiving"
      )
    })
  ),
  ...settings
}).annotations({ identifier: "CreateDomainRequest" })

/** The body of PATCH /domains/{id}. Receiving is switched elsewhere. */
export const ResendDomainChange = Schema.Struct({
  capabilities: Schema.optional(Schema.Struct({ sending })),
  ...settings
}).annotations({ identifier: "UpdateDomainRequest" })

/** Gives the fields of errors about a domain their names in this API. */
export const withDomainFields = renameFields(
  renameBy({
    domain: "name",
    trackOpens: "open_tracking",
    trackClicks: "click_tracking",
    trackingDomain: "tracking_subdomain"
  })
)

type Settings = typeof ResendDomainChange.Type

const toSettings = (domain: string, { click_tracking, open_tracking, tracking_subdomain }: Settings) => ({
  ...(open_tracking === undefined ? {} : { trackOpens: open_tracking }),
  ...(click_tracking === undefined ? {} : { trackClicks: click_tracking }),
  ...(tracking_subdomain === undefined ? {} : { trackingDomain: `${tracking_subdomain}.${domain}` })
})

const decodeNew = decodeBody(CreateEmailDomain)
const decodeChange = decodeBody(UpdateEmailDomain)

/** The body of POST /v1/email/domains that adds the same domain. */
export const toNewDomain = ({ name, ...rest }: typeof ResendNewDomain.Type) =>
  decodeNew({ domain: name, ...toSettings(name, rest) })

/** The body of PATCH /v1/email/domains/{id} that makes the same change of a domain with this name. */
export const toDomainChange = (name: string, change: Settings) => decodeChange(toSettings(name, change))

const RecordStatus = Schema.Literal("failed", "not_started", "pending", "temporary_failure", "verified")

const common = { name: Schema.String, value: Schema.String, ttl: Schema.String, status: RecordStatus }

const mx = { type: Schema.Literal("MX"), ...common, priority: Schema.Int }
const txt = { type: Schema.Literal("TXT"), ...common }

const DomainRecord = Schema.Union(
  Schema.Struct({ record: Schema.Literal("SPF"), ...mx }),
  Schema.Struct({ record: Schema.Literal("SPF"), ...txt }),
  Schema.Struct({ record: Schema.Literal("DKIM"), ...txt }),
  Schema.Struct({ record: Schema.Literal("Receiving"), ...mx }),
  Schema.Struct({ record: Schema.Literal("Tracking"), type: Schema.Literal("CNAME"), ...common })
).annotations({ identifier: "DomainRecord" })
type DomainRecord = typeof DomainRecord.Type
type RecordStatus = typeof RecordStatus.Type

const Capability = Schema.Literal("enabled", "disabled")

const listedFields = {
  id: EmailDomainId,
  name: Schema.String,
  status: Schema.Literal("failed", "partially_failed", "pending", "verified").annotations({
    description: "`partially_failed`: a record is missing since less than 72 hours, and the domain still sends"
  }),
  created_at: Schema.String,
  region: Schema.Literal(region),
  capabilities: Schema.Struct({ sending: Capability, receiving: Capability }),
  open_tracking: Schema.Boolean,
  click_tracking: Schema.Boolean,
  tracking_subdomain: Schema.optionalWith(Schema.String, { exact: true })
}

const records = Schema.mutable(Schema.Array(DomainRecord))

/** A domain in a list. */
export const ListedDomain = Schema.Struct(listedFields).annotations({ identifier: "ListedDomain" })

/** A new domain with its records. */
export const CreatedDomain = Schema.Struct({ ...listedFields, records }).annotations({
  identifier: "CreateDomainResponse"
})

/** A domain with its records. */
export const ResendDomain = Schema.Struct({
  object: Schema.Literal("domain"),
  ...CreatedDomain.fields
}).annotations({ identifier: "Domain" })

const statuses = {
  pending: "pending",
  verified: "verified",
  degraded: "partially_failed",
  failed: "failed"
} as const

/** The status of a record that was not found, by the status of its domain. */
const missingStatuses = {
  pending: "pending",
  verified: "pending",
  degraded: "temporary_failure",
  failed: "failed"
} as const satisfies Record<string, RecordStatus>

const isReceiving = ({ dnsRecords, domain }: EmailDomain) =>
  dnsRecords.some(({ name, type }) => type === "MX" && name === domain)

/** A domain in a list. */
export const toListedDomain = (domain: EmailDomain): typeof ListedDomain.Type => {
  const { createdAt, id, status, trackClicks, trackingDomain, trackOpens } = domain
  return {
    id,
    name: domain.domain,
    status: statuses[status],
    created_at: DateTime.formatIso(createdAt),
    region,
    capabilities: { sending: "enabled", receiving: isReceiving(domain) ? "enabled" : "disabled" },
    open_tracking: trackOpens,
    click_tracking: trackClicks,
    ...(trackingDomain === undefined ? {} : { tracking_subdomain: withoutSuffix(trackingDomain, `.${domain.domain}`) })
  }
}

/** A host without the domain at its end; the complete host if it is not below the domain. */
const withoutSuffix = (host: string, suffix: string) => (host.endsWith(suffix) ? host.slice(0, -suffix.length) : host)

/** The record as Resend has it. The advised records of DMARC and TLS reports have no kind there. */
const toRecord = (
  { name, priority = 0, ttl, type, value }: DnsRecord,
  domain: string,
  status: RecordStatus
): ReadonlyArray<DomainRecord> => {
  const common = { name, value, ttl, status }
  if (type === "CNAME") return [{ record: "Tracking", type, ...common }]
  if (type === "MX") return [{ record: name === domain ? "Receiving" : "SPF", type, ...common, priority }]
  if (name === `_dmarc.${domain}` || name === `_smtp._tls.${domain}`) return []
  return [{ record: name === `bounce.${domain}` ? "SPF" : "DKIM", type: "TXT", ...common }]
}

/** A new domain, whose records were not looked up. */
export const toCreatedDomain = (domain: EmailDomain): typeof CreatedDomain.Type => ({
  ...toListedDomain(domain),
  records: domain.dnsRecords.flatMap((record) => toRecord(record, domain.domain, "not_started"))
})

/** A domain with the result of a look-up of its records. */
export const toResendDomain = (domain: EmailDomain, { records: looked }: DomainReport): typeof ResendDomain.Type => {
  const statusOf = ({ name, type }: DnsRecord) =>
    looked.some((one) => one.ok && one.name === name && one.type === type) ? "verified" : missingStatuses[domain.status]
  return {
    object: "domain",
    ...toListedDomain(domain),
    records: domain.dnsRecords.flatMap((record) => toRecord(record, domain.domain, statusOf(record)))
  }
}
