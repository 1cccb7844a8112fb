import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { Block, BlockId } from "@switchboard/domain/email/blocks/Block"
import type { BlockKeys } from "@switchboard/domain/email/blocks/BlockKeys"
import type { BlockLog } from "@switchboard/domain/email/blocks/BlockLog"
import type { BlockFilters } from "@switchboard/domain/email/blocks/BlockRequests"
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
     * Stores an entry and tells of it, in place of one that is over; false, and nothing stored, if its address or domain
     * has one in force.
     */
    readonly insert: (block: Block) => Effect.Effect<boolean, ServiceUnavailableError>
    /**
     * Stores an entry, or strengthens the one that its address has already (`strengthenBlock`), and tells of it if that
     * changes anything.
     */
    readonly strengthen: (block: Block) => Effect.Effect<void, ServiceUnavailableError>
    /**
     * Which entry in force by the database's clock holds for each of these, by the address's key, in one statement. That
     * of an address goes before that of its domain.
     */
    readonly findFor: (
      organization: OrganizationId,
      keys: ReadonlyArray<BlockKeys>
    ) => Effect.Effect<ReadonlyMap<string, Block>, ServiceUnavailableError>
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
