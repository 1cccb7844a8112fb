import { Schema } from "effect"
import { Timestamp } from "../../Timestamp.js"
import { NamedEmailDomain } from "../domains/DomainRequests.js"
import { EmailAddress } from "../EmailAddress.js"
import { addressIssues, ReceivingAddresses } from "./ReceivingAddress.js"

/** Addresses that one mail is forwarded to at most. */
export const mostTargets = 20

/** Where mail goes on to. */
export const ForwardTargets = Schema.Array(EmailAddress).pipe(
  Schema.filter((given) => given.length <= mostTargets || `must have at most ${mostTargets} addresses`, {
    jsonSchema: { maxItems: mostTargets }
  })
)

/** What becomes of mail to a domain that none of its addresses takes. */
export class CatchAllConfig extends Schema.Class<CatchAllConfig>("CatchAllConfig")({
  domain: Schema.String,
  enabled: Schema.Boolean,
  forwardTo: Schema.Array(Schema.String),
  exclude: Schema.Array(Schema.String).annotations({ description: "addresses that are refused all the same" }),
  createdAt: Timestamp,
  updatedAt: Timestamp
}) {}

/** A catch-all to be switched on or off. `forwardTo` stays as it is where it is left out. */
export const SwitchCatchAll = Schema.Struct({
  ...NamedEmailDomain.fields,
  forwardTo: Schema.optional(ForwardTargets)
}).annotations({ identifier: "SwitchCatchAll" })
export type SwitchCatchAll = typeof SwitchCatchAll.Type

/** What changes of a catch-all; the rest stays. */
export const UpdateCatchAll = Schema.Struct({
  ...SwitchCatchAll.fields,
  enabled: Schema.optional(Schema.Boolean),
  exclude: Schema.optional(
    ReceivingAddresses.annotations({ description: "addresses of the domain: whole, or only what stands before the @" })
  )
})
  .pipe(Schema.filter(({ domain, exclude = [] }) => addressIssues("exclude", exclude, domain)))
  .annotations({ identifier: "UpdateCatchAll" })
export type UpdateCatchAll = typeof UpdateCatchAll.Type

/** What a catch-all has done. */
export class CatchAllStats extends Schema.Class<CatchAllStats>("CatchAllStats")({
  domain: Schema.String,
  received: Schema.Int.annotations({ description: "mails that the catch-all took" }),
  forwarded: Schema.Int.annotations({ description: "of them, those that went on to at least one address" }),
  rejected: Schema.Int.annotations({ description: "recipients that were refused because they are excluded" }),
  last24Hours: Schema.Int.annotations({ description: "mails that the catch-all took in the last 24 hours" }),
  last30Days: Schema.Int.annotations({ description: "mails that the catch-all took in the last 30 days" })
}) {}
