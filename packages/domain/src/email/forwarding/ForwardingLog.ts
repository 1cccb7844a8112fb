import { Schema } from "effect"
import { choice } from "../../Choice.js"
import { MessageId } from "../../messages/Message.js"
import { Timestamp } from "../../Timestamp.js"
import { Uuid } from "../../Uuid.js"
import { ForwardingRuleId } from "./ForwardingRule.js"

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
