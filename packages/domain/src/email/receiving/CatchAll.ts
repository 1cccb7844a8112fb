import { Schema } from "effect"
import { clearable } from "../../Clearable.js"
import { items } from "../../Items.js"
import { Timestamp } from "../../Timestamp.js"
import { NamedEmailDomain } from "../domains/DomainRequests.js"
import { EmailAddress } from "../EmailAddress.js"
import { addressIssues, ReceivingAddresses } from "./ReceivingAddress.js"

/** The maximum number of addresses that one mail is forwarded to. */
export const maxTargets = 20

/** The addresses to forward to. */
export const ForwardTargets = Schema.Array(EmailAddress).pipe(items(0, maxTargets))

/** The catch-all of a domain: it receives mail to addresses that are not listed. */
export class CatchAllConfig extends Schema.Class<CatchAllConfig>("CatchAllConfig")({
  domain: Schema.String,
  enabled: Schema.Boolean,
  forwardTo: Schema.Array(Schema.String),
  exclude: Schema.Array(Schema.String).annotations({
    description: "addresses that are rejected despite the catch-all"
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp
}) {}

/** A request to switch a catch-all on or off. An omitted `forwardTo` stays. */
export const SwitchCatchAll = Schema.Struct({
  ...NamedEmailDomain.fields,
  forwardTo: Schema.optional(ForwardTargets)
}).annotations({ identifier: "SwitchCatchAll" })
export type SwitchCatchAll = typeof SwitchCatchAll.Type

/** The fields of a catch-all to change; omitted fields stay. */
export const UpdateCatchAll = Schema.Struct({
  ...NamedEmailDomain.fields,
  forwardTo: clearable(ForwardTargets),
  enabled: Schema.optional(Schema.Boolean),
  exclude: clearable(
    ReceivingAddresses.annotations({ description: "addresses at the domain, in full or as local parts" })
  )
})
  .pipe(Schema.filter(({ domain, exclude }) => addressIssues("exclude", exclude ?? [], domain)))
  .annotations({ identifier: "UpdateCatchAll" })
export type UpdateCatchAll = typeof UpdateCatchAll.Type

/** The counters of a catch-all. */
export class CatchAllStats extends Schema.Class<CatchAllStats>("CatchAllStats")({
  domain: Schema.String,
  received: Schema.Int.annotations({ description: "mails that the catch-all received" }),
  forwarded: Schema.Int.annotations({ description: "received mails that were forwarded to at least one address" }),
  rejected: Schema.Int.annotations({ description: "recipients that were rejected because they are excluded" }),
  last24Hours: Schema.Int.annotations({ description: "mails that the catch-all received in the last 24 hours" }),
  last30Days: Schema.Int.annotations({ description: "mails that the catch-all received in the last 30 days" })
}) {}
