import {
  Block,
  type BlockAction,
  BlockId,
  BlockLog,
  BlockLogId,
  type ImportedBlock
} from "@switchboard/domain/email/blocks/Block"
import { blockKeys } from "@switchboard/domain/email/blocks/Suppression"
import { addressKey } from "@switchboard/domain/email/EmailAddress"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Effect } from "effect"
import { type NewEvent, newEvent } from "../../events/NewEvent.js"
import { newId } from "../../NewId.js"

/** Makes a block without hits. Its scope follows from its category. */
export const newBlock = (
  organizationId: OrganizationId,
  given: Pick<Block, "type" | "value" | "category" | "reason" | "source" | "sourceMessageId" | "expiresAt"> &
    Partial<Pick<Block, "createdAt">>
): Effect.Effect<Block> =>
  Effect.map(
    newId(BlockId),
    ({ id, now }) =>
      new Block(
        {
          id,
          organizationId,
          ...given,
          scope: given.category === undefined ? "all" : "category",
          hitCount: 0,
          // A clock that is ahead adds no block in the future.
          createdAt: DateTime.min(given.createdAt ?? now, now),
          updatedAt: now
        },
        { disableValidation: true }
      )
  )

/** Makes the block that a caller requests. */
export const requestedBlock = (
  organizationId: OrganizationId,
  { category, createdAt, domain = "", email, expiresAt, reason = "manual" }: ImportedBlock
): Effect.Effect<Block> =>
  newBlock(organizationId, {
    ...(email === undefined ? { type: "domain", value: domain } : { type: "email", value: addressKey(email) }),
    category,
    reason,
    source: "api",
    sourceMessageId: undefined,
    expiresAt,
    ...(createdAt === undefined ? {} : { createdAt })
  })

/** Makes the block of an address after a bounce, complaint or unsubscription of a message. */
export const newAddressBlock = (
  organizationId: OrganizationId,
  address: string,
  given: Pick<Block, "category" | "reason" | "source"> & { readonly sourceMessageId: MessageId }
): Effect.Effect<Block> =>
  newBlock(organizationId, { type: "email", value: blockKeys(address).address, ...given, expiresAt: undefined })

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
