import { Schema } from "effect"
import { choice } from "../../Choice.js"
import { MessageId } from "../../messages/Message.js"
import { Timestamp } from "../../Timestamp.js"
import { Uuid } from "../../Uuid.js"
import { ForwardingRuleId } from "./ForwardingRule.js"

export const ForwardingId = Uuid.pipe(Schema.brand("ForwardingId"))
export type ForwardingId = typeof ForwardingId.Type

/** `loop_blocked`: the mail came back, or had been forwarded too often, and was received instead. */
export const ForwardingStatus = choice("forwarded", "failed", "loop_blocked").annotations({
  identifier: "ForwardingStatus"
})
export type ForwardingStatus = typeof ForwardingStatus.Type

/** What became of a mail on its way to one address. */
export class ForwardingLog extends Schema.Class<ForwardingLog>("ForwardingLog")({
  id: ForwardingId,
  ruleId: Schema.optional(ForwardingRuleId.annotations({ description: "left out for what a catch-all forwards" })),
  messageId: MessageId.annotations({ description: "the message; the id of the mail where no copy is kept" }),
  forwardedTo: Schema.String,
  status: ForwardingStatus,
  error: Schema.optional(Schema.String),
  createdAt: Timestamp
}) {}
