import { Schema } from "effect"
import { NamedEmailDomain } from "../domains/DomainRequests.js"
import { addressIssues, ReceivingAddresses } from "./ReceivingAddress.js"

/** What a domain receives, all of it: what is left out is not received any more. */
export const EnableReceiving = Schema.Struct({
  ...NamedEmailDomain.fields,
  catchAll: Schema.optional(Schema.Boolean.annotations({ default: false })),
  addresses: Schema.optional(
    ReceivingAddresses.annotations({ description: "addresses of the domain: whole, or only what stands before the @" })
  )
})
  .pipe(Schema.filter(({ addresses = [], domain }) => addressIssues("addresses", addresses, domain)))
  .annotations({ identifier: "EnableReceiving" })
export type EnableReceiving = typeof EnableReceiving.Type

/** What is received from now on. */
export class ReceivingEnabled extends Schema.Class<ReceivingEnabled>("ReceivingEnabled")({
  success: Schema.Boolean,
  ruleName: Schema.String,
  recipients: Schema.Array(Schema.String)
}) {}
