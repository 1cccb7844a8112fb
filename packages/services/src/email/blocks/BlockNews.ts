import type { Block } from "@switchboard/domain/email/blocks/Block"
import { type BlockAction, BlockLog, BlockLogId } from "@switchboard/domain/email/blocks/BlockLog"
import type { MessageId } from "@switchboard/domain/messages/Message"
import { Effect } from "effect"
import { type NewEvent, newEvent } from "../../events/NewEvent.js"
import { newId } from "../../NewId.js"

/** What is told of an entry, to be written in the transaction of what happened to it. */
export interface BlockNews {
  readonly log: BlockLog
  readonly events: ReadonlyArray<NewEvent>
}

const eventOf = { added: "email_block.created", removed: "email_block.deleted" } as const

/** What happened to an entry, and for which message. A change of it is in its log alone. */
export const blockNews = (
  action: Exclude<BlockAction, "blocked">,
  block: Block,
  messageId?: MessageId
): Effect.Effect<BlockNews> =>
  Effect.gen(function* () {
    const { id, now } = yield* newId(BlockLogId)
    const log = new BlockLog(
      { id, blockId: block.id, email: block.value, category: block.category, messageId, action, createdAt: now },
      { disableValidation: true }
    )
    if (action === "updated") return { log, events: [] }
    return { log, events: [yield* newEvent(eventOf[action], block.organizationId, block.id, block)] }
  })
