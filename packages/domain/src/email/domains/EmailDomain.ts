import { Schema } from "effect"
import { choice } from "../../Choice.js"
import { Timestamp } from "../../Timestamp.js"
import { Uuid } from "../../Uuid.js"

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
  createdAt: Timestamp,
  updatedAt: Timestamp
}) {}
