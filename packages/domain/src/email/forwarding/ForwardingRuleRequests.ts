import { Schema } from "effect"
import { ForwardTargets } from "../receiving/CatchAll.js"
import { AddressPattern } from "./AddressPattern.js"
import { RewriteFrom } from "./ForwardingRule.js"

const filled = (max: number) =>
  Schema.String.pipe(
    Schema.filter((text) => (text.length >= 1 && text.length <= max) || `must have 1 to ${max} characters`, {
      jsonSchema: { minLength: 1, maxLength: max }
    })
  )

const Name = filled(200)

const Match = Schema.Struct({
  recipient: Schema.optional(AddressPattern),
  sender: Schema.optional(AddressPattern),
  subjectContains: Schema.optional(filled(998))
}).pipe(
  Schema.filter(
    ({ recipient, sender, subjectContains }) =>
      recipient !== undefined ||
      sender !== undefined ||
      subjectContains !== undefined ||
      "must have a recipient, a sender or subjectContains"
  )
)

const ForwardTo = ForwardTargets.pipe(
  Schema.filter((addresses) => addresses.length > 0 || "must have at least 1 address", { jsonSchema: { minItems: 1 } })
)

const maxPriority = 1_000_000

const Priority = Schema.Number.pipe(
  Schema.filter(
    (priority) =>
      (Number.isInteger(priority) && priority >= 0 && priority <= maxPriority) ||
      `must be a whole number from 0 to ${maxPriority}`,
    {
      jsonSchema: { type: "integer", minimum: 0, maximum: maxPriority }
    }
  )
)

export const CreateForwardingRule = Schema.Struct({
  name: Name,
  match: Match,
  forwardTo: ForwardTo,
  keepCopy: Schema.optional(Schema.Boolean.annotations({ default: true })),
  rewriteFrom: Schema.optional(RewriteFrom.annotations({ default: false })),
  isActive: Schema.optional(Schema.Boolean.annotations({ default: true })),
  priority: Schema.optional(Priority.annotations({ default: 100 }))
}).annotations({ identifier: "CreateForwardingRule" })
export type CreateForwardingRule = typeof CreateForwardingRule.Type

/** The fields to change; omitted fields stay. `match` and `forwardTo` are replaced completely. */
export const UpdateForwardingRule = Schema.Struct({
  name: Schema.optional(Name),
  match: Schema.optional(Match),
  forwardTo: Schema.optional(ForwardTo),
  keepCopy: Schema.optional(Schema.Boolean),
  rewriteFrom: Schema.optional(RewriteFrom),
  isActive: Schema.optional(Schema.Boolean),
  priority: Schema.optional(Priority)
}).annotations({ identifier: "UpdateForwardingRule" })
export type UpdateForwardingRule = typeof UpdateForwardingRule.Type

/** Filters of a list of rules; `search` matches the name. */
export const ForwardingRuleFilters = Schema.Struct({ search: Schema.optional(Schema.String) })
export type ForwardingRuleFilters = typeof ForwardingRuleFilters.Type
