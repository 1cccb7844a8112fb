import type { Block } from "@switchboard/domain/email/blocks/Block"
import { type BlockAction, BlockLog, BlockLogId } from "@switchboard/domain/email/blocks/BlockLog"
import type { MessageId } from "@switchboard/domain/messages/Message"
import { Effect } from "effect"
import { type NewEvent, newEvent } from "../../events/NewEvent.js"
import { newId } from "../../NewId.js"

/** The log entry and the events of a change to a block, stored in the transaction of the change. */
export interface BlockRecords {
  readonly log: BlockLog
  readonly events: ReadonlyArray<NewEvent>
}

const eventOf = { added: "email_block.created", removed: "email_block.deleted" } as const

/** Makes the log entry and the events of a change, with the message that caused it. An update has no event. */
export const blockRecords = (
  action: Exclude<BlockAction, "blocked">,
  block: Block,
  messageId?: MessageId
): Effect.Effect<BlockRecords> =>
  Effect.gen(function* () {
    const { id, now } = yield* newId(BlockLogId)
    const log = new BlockLog(
      { id, blockId: block.id, email: block.value, category: block.category, messageId, action, createdAt: now },
      { disableValidation: true }
    )
    if (action === "updated") return { log, events: [] }
    return { log, events: [yield* newEvent(eventOf[action], block.organizationId, block.id, block)] }
  })
