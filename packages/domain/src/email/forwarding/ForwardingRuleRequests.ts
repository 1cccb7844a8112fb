import { Schema } from "effect"
import { clearable } from "../../Clearable.js"
import { SearchText } from "../../Search.js"
import { text } from "../../Text.js"
import { wholeNumber } from "../../WholeNumber.js"
import { ForwardTargets } from "../receiving/CatchAll.js"
import { AddressPattern } from "./AddressPattern.js"
import { RewriteFrom } from "./ForwardingRule.js"

const Name = text(1, 200)

const Match = Schema.Struct({
  recipient: Schema.optional(AddressPattern),
  sender: Schema.optional(AddressPattern),
  subjectContains: Schema.optional(text(1, 998))
}).pipe(
  Schema.filter(
    ({ recipient, sender, subjectContains }) =>
      recipient !== undefined ||
      sender !== undefined ||
      subjectContains !== undefined ||
      "must have a recipient, a sender or subjectContains",
    { jsonSchema: { minProperties: 1 } }
  )
)

const ForwardTo = ForwardTargets.pipe(
  Schema.filter((addresses) => addresses.length > 0 || "must have at least 1 address", { jsonSchema: { minItems: 1 } })
)

const maxPriority = 1_000_000

const Priority = wholeNumber(0, maxPriority)

export const CreateForwardingRule = Schema.Struct({
  name: Name,
  match: Match,
  forwardTo: ForwardTo,
  keepCopy: Schema.optional(Schema.Boolean.annotations({ default: true })),
  rewriteFrom: Schema.optional(RewriteFrom.annotations({ default: false })),
  isActive: Schema.optional(Schema.Boolean.annotations({ default: true })),
  priority: Schema.optional(wholeNumber(0, maxPriority, { default: 100 }))
}).annotations({ identifier: "CreateForwardingRule" })
export type CreateForwardingRule = typeof CreateForwardingRule.Type

/**
 * The fields to change; omitted fields stay. `match` and `forwardTo` are replaced completely. Null resets a field that a
 * creation may omit.
 */
export const UpdateForwardingRule = Schema.Struct({
  name: Schema.optional(Name),
  match: Schema.optional(Match),
  forwardTo: Schema.optional(ForwardTo),
  keepCopy: clearable(Schema.Boolean),
  rewriteFrom: clearable(RewriteFrom),
  isActive: clearable(Schema.Boolean),
  priority: clearable(Priority)
}).annotations({ identifier: "UpdateForwardingRule" })
export type UpdateForwardingRule = typeof UpdateForwardingRule.Type

/** Filters of a list of rules; `search` matches the name. */
export const ForwardingRuleFilters = Schema.Struct({ search: Schema.optional(SearchText) })
export type ForwardingRuleFilters = typeof ForwardingRuleFilters.Type
