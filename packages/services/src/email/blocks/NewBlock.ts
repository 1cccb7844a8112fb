import { Block, BlockId } from "@switchboard/domain/email/blocks/Block"
import type { CreateBlock } from "@switchboard/domain/email/blocks/BlockRequests"
import { blockKeys } from "@switchboard/domain/email/blocks/Suppression"
import { addressKey } from "@switchboard/domain/email/EmailAddress"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Effect } from "effect"
import { newId } from "../../NewId.js"

/** Makes a block without hits. Its scope follows from its category. */
export const newBlock = (
  organizationId: OrganizationId,
  given: Pick<Block, "type" | "value" | "category" | "reason" | "source" | "sourceMessageId" | "expiresAt">
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
          createdAt: now,
          updatedAt: now
        },
        { disableValidation: true }
      )
  )

/** Makes the block that a caller requests. */
export const requestedBlock = (
  organizationId: OrganizationId,
  { category, domain = "", email, expiresAt, reason = "manual" }: CreateBlock
): Effect.Effect<Block> =>
  newBlock(organizationId, {
    ...(email === undefined ? { type: "domain", value: domain } : { type: "email", value: addressKey(email) }),
    category,
    reason,
    source: "api",
    sourceMessageId: undefined,
    expiresAt
  })

/** Makes the block of an address after a bounce, complaint or unsubscription of a message. */
export const newAddressBlock = (
  organizationId: OrganizationId,
  address: string,
  given: Pick<Block, "category" | "reason" | "source"> & { readonly sourceMessageId: MessageId }
): Effect.Effect<Block> =>
  newBlock(organizationId, { type: "email", value: blockKeys(address).address, ...given, expiresAt: undefined })
