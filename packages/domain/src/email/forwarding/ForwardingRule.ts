import { Either, Option, ParseResult, Schema } from "effect"
import { choice, clearable, wholeNumber } from "../../Fields.js"
import { MessageId } from "../../messages/Message.js"
import { OrganizationId } from "../../organizations/Organization.js"
import { SearchText } from "../../Search.js"
import { text } from "../../Text.js"
import { Timestamp } from "../../Timestamp.js"
import { Uuid } from "../../Uuid.js"
import { addressForm, domainForm, localPartLength } from "../AddressForms.js"
import { domainToAscii, EmailAddress, withoutDetail } from "../EmailAddress.js"
import { ForwardTargets } from "../receiving/ReceivingAddress.js"

const anyAt = "*@"
const decode = Schema.decodeOption(EmailAddress)

const parse = (text: string): Option.Option<string> =>
  text.startsWith(anyAt)
    ? Option.map(domainToAscii(text.slice(anyAt.length)), (domain) => `${anyAt}${domain}`)
    : Option.map(decode(text), (address) => address.toLowerCase())

/** One address, or all addresses of a domain (`*@example.com`), in lower case: addresses are matched without case. */
export const AddressPattern = Schema.transformOrFail(Schema.String, Schema.String, {
  strict: true,
  decode: (text, _, ast) =>
    Either.fromOption(
      parse(text),
      () => new ParseResult.Type(ast, text, "must be an email address, or *@ and a domain")
    ),
  encode: ParseResult.succeed
}).annotations({
  identifier: "AddressPattern",
  description: "an email address, or *@ and a domain",
  jsonSchema: {
    type: "string",
    pattern: `^(?:\\*@${domainForm}|${addressForm})$`,
    allOf: [{ pattern: localPartLength }],
    maxLength: 255,
    examples: ["support@example.com", "*@example.com"]
  }
})

/** Whether a pattern matches an address in lower case. A pattern without a detail also matches `support+x`. */
export const matchesPattern = (pattern: string, address: string): boolean =>
  pattern.startsWith(anyAt)
    ? address.slice(address.lastIndexOf("@") + 1) === pattern.slice(anyAt.length)
    : address === pattern || withoutDetail(address) === pattern

export const ForwardingRuleId = Uuid.pipe(Schema.brand("ForwardingRuleId"))
export type ForwardingRuleId = typeof ForwardingRuleId.Type

/** The conditions of a rule; all given conditions must match. */
export interface ForwardingMatch {
  readonly recipient?: string | undefined
  readonly sender?: string | undefined
  readonly subjectContains?: string | undefined
}

/** Replaces the From address by the address that received the mail, so that the mail passes DMARC for this domain. */
export const RewriteFrom = Schema.Boolean.annotations({
  description:
    "whether mail of senders with a DMARC policy of `quarantine` or `reject` is forwarded with a rewritten From; an extension"
})

/** A rule that forwards mail. Of several matching rules the one with the lowest `priority` applies, then the oldest. */
export class ForwardingRule extends Schema.Class<ForwardingRule>("ForwardingRule")({
  id: ForwardingRuleId,
  organizationId: OrganizationId,
  name: Schema.String,
  match: Schema.Struct({
    recipient: Schema.optional(Schema.String),
    sender: Schema.optional(Schema.String),
    subjectContains: Schema.optional(Schema.String)
  }),
  forwardTo: Schema.Array(EmailAddress),
  keepCopy: Schema.Boolean,
  rewriteFrom: RewriteFrom,
  priority: Schema.Int,
  isActive: Schema.Boolean,
  matchCount: Schema.Int,
  lastMatchedAt: Schema.optional(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp
}) {}

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

export const ForwardingId = Uuid.pipe(Schema.brand("ForwardingId"))
export type ForwardingId = typeof ForwardingId.Type

/** `loop_blocked`: the mail returned, or was forwarded too often, and was received instead. */
export const ForwardingStatus = choice("forwarded", "failed", "loop_blocked").annotations({
  identifier: "ForwardingStatus"
})
export type ForwardingStatus = typeof ForwardingStatus.Type

/** The result of forwarding one mail to one address. */
export class ForwardingLog extends Schema.Class<ForwardingLog>("ForwardingLog")({
  id: ForwardingId,
  ruleId: Schema.optional(
    ForwardingRuleId.annotations({ description: "the rule; omitted if a catch-all forwarded the mail" })
  ),
  messageId: MessageId.annotations({ description: "the message, or the id of the mail if no copy was stored" }),
  forwardedTo: Schema.String,
  status: ForwardingStatus,
  error: Schema.optional(Schema.String),
  createdAt: Timestamp
}) {}
