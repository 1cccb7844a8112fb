import type { BadRequestError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { Block, BlockFilters, BlockId, BlockLog } from "@switchboard/domain/email/blocks/Block"
import type { BlockKeys } from "@switchboard/domain/email/blocks/Suppression"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import { Context, type Effect, type Option } from "effect"
import type { BlockRecords } from "./BlockRecords.js"

/** The result of a change to a block. */
export interface ChangedBlock {
  /** The block after the change. */
  readonly block: Block
  /** Whether the block is removed for good. */
  readonly removed: boolean
  /** Null if nothing changed: then nothing is written. */
  readonly records: BlockRecords | null
}

/** Stores the addresses and domains that organizations don't send to, with a log of changes. */
export class BlockRepo extends Context.Tag("services/BlockRepo")<
  BlockRepo,
  {
    /**
     * Stores blocks with their log entries and events. A block replaces an expired one with the same address or domain
     * and scope; while one is in force, the given block is not stored. Returns the ids that were stored.
     */
    readonly insert: (blocks: ReadonlyArray<Block>) => Effect.Effect<ReadonlySet<BlockId>, ServiceUnavailableError>
    /** A block of the organization, in force or expired. */
    readonly findById: (
      organization: OrganizationId,
      id: BlockId
    ) => Effect.Effect<Option.Option<Block>, ServiceUnavailableError>
    /**
     * Stores blocks, or strengthens the existing ones of their addresses in the same scope (`strengthenBlock`). A
     * change has a log entry, a new block also an event.
     */
    readonly strengthen: (blocks: ReadonlyArray<Block>) => Effect.Effect<void, ServiceUnavailableError>
    /**
     * The blocks that suppress mail of a category to a recipient, or mail of any kind without a category
     * (`suppressions`). Blocks expire by the database's clock.
     */
    readonly find: (
      organization: OrganizationId,
      keys: BlockKeys,
      category: string | undefined
    ) => Effect.Effect<ReadonlyArray<Block>, ServiceUnavailableError>
    /** The organization's blocks including expired ones, newest first. */
    readonly list: (
      organization: OrganizationId,
      filters: BlockFilters,
      page: PageRequest
    ) => Effect.Effect<Page<Block>, BadRequestError | ServiceUnavailableError>
    /** The log of the organization's blocks including removed ones, newest first. */
    readonly logs: (
      organization: OrganizationId,
      page: PageRequest
    ) => Effect.Effect<Page<BlockLog>, BadRequestError | ServiceUnavailableError>
    /**
     * Locks a block, calls `decide`, and stores the result with its log entry and events in one transaction. None if
     * the organization has no such block.
     */
    readonly change: (
      organization: OrganizationId,
      id: BlockId,
      decide: (block: Block) => Effect.Effect<ChangedBlock>
    ) => Effect.Effect<Option.Option<ChangedBlock>, ServiceUnavailableError>
  }
>() {}
