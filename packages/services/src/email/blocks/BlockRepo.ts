import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { Block, BlockId } from "@switchboard/domain/email/blocks/Block"
import type { BlockLog } from "@switchboard/domain/email/blocks/BlockLog"
import type { BlockFilters } from "@switchboard/domain/email/blocks/BlockRequests"
import type { BlockKeys } from "@switchboard/domain/email/blocks/Suppression"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import { Context, type Effect, type Option } from "effect"
import type { BlockNews } from "./BlockNews.js"

/** What becomes of an entry. */
export interface ChangedBlock {
  /** As it is from now on. */
  readonly block: Block
  /** Whether it is gone for good. */
  readonly removed: boolean
  /** None if nothing changes: then nothing is written. */
  readonly news: BlockNews | null
}

/** Where the addresses and domains are kept that organizations don't send to, with a log of what they did. */
export class BlockRepo extends Context.Tag("services/BlockRepo")<
  BlockRepo,
  {
    /**
     * Stores blocks with their log entries and events. A block replaces one with the same address or domain and scope
     * that has expired; while one is in force, the given block is not stored. Returns the ids that were stored.
     */
    readonly insert: (blocks: ReadonlyArray<Block>) => Effect.Effect<ReadonlySet<BlockId>, ServiceUnavailableError>
    /**
     * Stores blocks, or strengthens those that their addresses have in the same scope (`strengthenBlock`). A change has
     * a log entry, a new block an event too.
     */
    readonly strengthen: (blocks: ReadonlyArray<Block>) => Effect.Effect<void, ServiceUnavailableError>
    /**
     * The blocks that suppress mail of a category to a recipient, or mail of any kind without one (`suppressions`).
     * Blocks expire by the database's clock.
     */
    readonly find: (
      organization: OrganizationId,
      keys: BlockKeys,
      category: string | undefined
    ) => Effect.Effect<ReadonlyArray<Block>, ServiceUnavailableError>
    /** Newest first, also those that are over. */
    readonly list: (
      organization: OrganizationId,
      filters: BlockFilters,
      page: PageRequest
    ) => Effect.Effect<Page<Block>, ServiceUnavailableError>
    /** Newest first, also of entries that are gone. */
    readonly logs: (
      organization: OrganizationId,
      page: PageRequest
    ) => Effect.Effect<Page<BlockLog>, ServiceUnavailableError>
    /**
     * Decides what becomes of an entry while nobody else changes it, and writes that with what is told of it, or
     * nothing. None if the organization has no such entry.
     */
    readonly change: (
      organization: OrganizationId,
      id: BlockId,
      decide: (block: Block) => Effect.Effect<ChangedBlock>
    ) => Effect.Effect<Option.Option<ChangedBlock>, ServiceUnavailableError>
  }
>() {}
