import { EmailDomainId, EmailDomainStatus } from "@switchboard/domain/email/domains/EmailDomain"
import type { ReceivingDomain } from "@switchboard/services/email/receiving/addresses/ReceivingRepo"
import { Option, Schema } from "effect"

const Instant = Schema.DateTimeUtcFromDate
const Texts = Schema.Array(Schema.String)

const decode = Schema.decodeUnknownSync(
  Schema.Struct({
    id: EmailDomainId,
    domain: Schema.String,
    status: EmailDomainStatus,
    createdAt: Instant,
    receiving: Schema.Boolean,
    addresses: Texts
  })
)

const decodeCatchAll = Schema.decodeUnknownSync(
  Schema.Struct({ enabled: Schema.Boolean, forwardTo: Texts, exclude: Texts, createdAt: Instant, updatedAt: Instant })
)

/** The columns of `email_domains AS d` for `receivingFromRow`. */
export const receivingColumns = `d.id, d.domain, d.status, d.created_at AS "createdAt", d.receiving,
  ARRAY(SELECT r.address FROM receiving_addresses AS r
    WHERE r.organization_id = d.organization_id AND r.domain_id = d.id ORDER BY r.address) AS addresses`

/** The columns of `catch_alls`. */
export const catchAllColumns = `enabled, forward_to AS "forwardTo", exclude, created_at AS "createdAt",
  updated_at AS "updatedAt"`

/** Decodes a domain with its catch-all, if there is one. */
export const receivingFromRow = (row: object, catchAll: object | undefined): ReceivingDomain => ({
  ...decode(row),
  catchAll: Option.map(Option.fromNullable(catchAll), (found) => decodeCatchAll(found))
})
