import { Schema } from "effect"
import { choice } from "../../Choice.js"
import { Category } from "../../messages/Categories.js"
import { MessageId } from "../../messages/Message.js"
import { OrganizationId } from "../../organizations/Organization.js"
import { Timestamp } from "../../Timestamp.js"
import { Uuid } from "../../Uuid.js"

export const BlockId = Uuid.pipe(Schema.brand("BlockId"))
export type BlockId = typeof BlockId.Type

export const BlockReason = choice("hard_bounce", "complaint", "unsubscribe", "manual").annotations({
  identifier: "BlockReason"
})
export type BlockReason = typeof BlockReason.Type

export const BlockScope = choice("all", "category").annotations({
  identifier: "BlockScope",
  description: "`all`: no mail is sent; `category`: no mail of the block's category is sent"
})
export type BlockScope = typeof BlockScope.Type

/** A block on an address or a domain: the organization sends it no mail, or no mail of one category. */
export class Block extends Schema.Class<Block>("Block")({
  id: BlockId,
  organizationId: OrganizationId,
  type: choice("email", "domain"),
  value: Schema.String,
  scope: BlockScope,
  category: Schema.optional(Category),
  reason: BlockReason,
  source: choice("system", "api", "recipient"),
  sourceMessageId: Schema.optional(MessageId),
  hitCount: Schema.Int,
  lastHitAt: Schema.optional(Timestamp),
  expiresAt: Schema.optional(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp
}) {}
