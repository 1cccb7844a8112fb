import type { BlockReason } from "@switchboard/domain/email/blocks/Block"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { newAddressBlock, newBlock } from "@switchboard/services/email/blocks/BlockRecords"
import { BlockRepo } from "@switchboard/services/email/blocks/BlockRepo"
import { Array, type DateTime, Effect } from "effect"

export const everything = { page: 1, limit: 100 }

/** Blocks an address or a domain, unless it is blocked. */
export const addBlock = (
  own: OrganizationId,
  value: string,
  overrides: { readonly reason?: BlockReason; readonly category?: string; readonly expiresAt?: DateTime.Utc } = {}
) =>
  Effect.gen(function* () {
    const repo = yield* BlockRepo
    const block = yield* newBlock(own, {
      type: value.includes("@") ? "email" : "domain",
      value,
      category: overrides.category,
      reason: overrides.reason ?? "manual",
      source: "api",
      sourceMessageId: undefined,
      expiresAt: overrides.expiresAt
    })
    return { block, isNew: (yield* repo.insert([block])).has(block.id) }
  })

/** Blocks the address for a complaint, or strengthens its block. */
export const complain = (own: OrganizationId, address: string, sourceMessageId: MessageId) =>
  Effect.flatMap(BlockRepo, (repo) =>
    Effect.flatMap(
      newAddressBlock(own, address, { category: undefined, reason: "complaint", source: "recipient", sourceMessageId }),
      (block) => repo.strengthen([block])
    )
  )

/** The blocks of an organization, newest first. */
export const blocksOf = (own: OrganizationId) =>
  Effect.flatMap(BlockRepo, (repo) => Effect.map(repo.list(own, {}, everything), ({ items }) => items))

/** The log of an organization, oldest first. */
export const blockLog = (own: OrganizationId) =>
  Effect.flatMap(BlockRepo, (repo) =>
    Effect.map(repo.logs(own, everything), ({ items }) =>
      Array.reverse(items).map(({ action, email, messageId = null }) => ({ action, email, messageId }))
    )
  )
