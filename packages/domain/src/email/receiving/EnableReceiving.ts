import { Schema } from "effect"
import { NamedEmailDomain } from "../domains/DomainRequests.js"
import { addressIssues, ReceivingAddresses } from "./ReceivingAddress.js"

/** The complete receiving configuration of a domain: addresses that are omitted are no longer received. */
export const EnableReceiving = Schema.Struct({
  ...NamedEmailDomain.fields,
  catchAll: Schema.optional(Schema.Boolean.annotations({ default: false })),
  addresses: Schema.optional(
    ReceivingAddresses.annotations({ description: "addresses at the domain, in full or as local parts" })
  )
})
  .pipe(Schema.filter(({ addresses = [], domain }) => addressIssues("addresses", addresses, domain)))
  .annotations({ identifier: "EnableReceiving" })
export type EnableReceiving = typeof EnableReceiving.Type

/** The addresses that are received after the change. */
export class ReceivingEnabled extends Schema.Class<ReceivingEnabled>("ReceivingEnabled")({
  success: Schema.Boolean,
  ruleName: Schema.String,
  recipients: Schema.Array(Schema.String)
}) {}
