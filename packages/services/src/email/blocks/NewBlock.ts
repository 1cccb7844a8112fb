import { Block, BlockId } from "@switchboard/domain/email/blocks/Block"
import { blockKeys } from "@switchboard/domain/email/blocks/BlockKeys"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Effect } from "effect"
import { newId } from "../../NewId.js"

/** Makes an entry of the list that nothing has met yet. */
export const newBlock = (
  organizationId: OrganizationId,
  given: Pick<Block, "type" | "value" | "reason" | "source" | "sourceMessageId" | "expiresAt">
): Effect.Effect<Block> =>
  Effect.map(
    newId(BlockId),
    ({ id, now }) =>
      new Block(
        { id, organizationId, ...given, hitCount: 0, createdAt: now, updatedAt: now },
        { disableValidation: true }
      )
  )

/** Makes the entry that keeps an organization from an address for what happened to a message. */
export const newAddressBlock = (
  organizationId: OrganizationId,
  address: string,
  given: Pick<Block, "reason" | "source"> & { readonly sourceMessageId: MessageId }
): Effect.Effect<Block> =>
  newBlock(organizationId, { type: "email", value: blockKeys(address).address, ...given, expiresAt: undefined })
