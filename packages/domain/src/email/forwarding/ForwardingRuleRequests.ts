import { Schema } from "effect"
import { ForwardTargets } from "../receiving/CatchAll.js"
import { AddressPattern } from "./AddressPattern.js"
import { RewriteFrom } from "./ForwardingRule.js"

const filled = (most: number) =>
  Schema.String.pipe(
    Schema.filter((text) => (text.length >= 1 && text.length <= most) || `must have 1 to ${most} characters`, {
      jsonSchema: { minLength: 1, maxLength: most }
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
  Schema.filter((given) => given.length > 0 || "must have at least 1 address", { jsonSchema: { minItems: 1 } })
)

const last = 1_000_000

const Priority = Schema.Number.pipe(
  Schema.filter(
    (given) => (Number.isInteger(given) && given >= 0 && given <= last) || `must be a whole number from 0 to ${last}`,
    {
      jsonSchema: { type: "integer", minimum: 0, maximum: last }
    }
  )
)

/** A new rule. */
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

/** What changes; the rest stays. `match` and `forwardTo` take the place of those before. */
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

/** What a list of rules may be narrowed to; `search` looks into the name. */
export const ForwardingRuleFilters = Schema.Struct({ search: Schema.optional(Schema.String) })
export type ForwardingRuleFilters = typeof ForwardingRuleFilters.Type
