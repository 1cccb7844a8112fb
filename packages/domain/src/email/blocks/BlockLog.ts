import { Schema } from "effect"
import { choice } from "../../Choice.js"
import { Category } from "../../messages/Categories.js"
import { MessageId } from "../../messages/Message.js"
import { Timestamp } from "../../Timestamp.js"
import { Uuid } from "../../Uuid.js"
import { Block, BlockId } from "./Block.js"

export const BlockLogId = Uuid.pipe(Schema.brand("BlockLogId"))
export type BlockLogId = typeof BlockLogId.Type

/** `blocked`: the block suppressed a recipient. The other actions are changes of the block itself. */
export const BlockAction = choice("blocked", "added", "removed", "updated").annotations({ identifier: "BlockAction" })
export type BlockAction = typeof BlockAction.Type

/** One action of a block, or one change to the block. */
export class BlockLog extends Schema.Class<BlockLog>("BlockLog")({
  id: BlockLogId,
  blockId: BlockId,
  email: Schema.String.annotations({ description: "the recipient, or the address or domain of the entry" }),
  category: Schema.optional(Category),
  messageId: Schema.optional(MessageId),
  action: BlockAction,
  createdAt: Timestamp
}) {}

/** Whether an address is blocked, and the blocks that apply. */
export const BlockCheck = Schema.Struct({
  blocked: Schema.Boolean,
  block: Schema.optional(Block),
  blocks: Schema.Array(Block).annotations({
    description: "all blocks in force: those of the address before those of its domain, those on all mail first"
  })
}).annotations({ identifier: "BlockCheck" })
export type BlockCheck = typeof BlockCheck.Type
