import {
  ConflictError,
  type RateLimitedError,
  ResourceNotFoundError,
  type ServiceUnavailableError
} from "@switchboard/domain/Errors"
import {
  Block,
  type BlockCheck,
  type BlockId,
  type BlockImport,
  type CreateBlock,
  type ImportedBlock,
  maxRefusedLines,
  type RefusedLine,
  type UpdateBlock
} from "@switchboard/domain/email/blocks/Block"
import { blockKeys, unsubscribedCategories } from "@switchboard/domain/email/blocks/Suppression"
import type { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { afterUpdate } from "@switchboard/domain/Fields"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Array, type Chunk, DateTime, Effect, type Either, Stream } from "effect"
import { checkExpiry } from "../../CheckExpiry.js"
import { concurrencyLimit } from "../../ConcurrencyLimit.js"
import { requestDeadline } from "../../RequestDeadline.js"
import { blockRecords, newAddressBlock, requestedBlock } from "./BlockRecords.js"
import { BlockRepo, type ChangedBlock } from "./BlockRepo.js"

/** The maximum number of concurrent imports of an organization in one process. */
const maxImports = 2

/** The maximum number of lines of one transaction. */
const importBatch = 500

/** A line of an import: the requested block, or its errors. */
export interface ImportLine {
  readonly line: number
  readonly request: Either.Either<ImportedBlock, RefusedLine["fields"]>
}

const nothing: BlockImport = { added: 0, existing: 0, refused: 0, refusedLines: [] }

/** Imports blocks, each validated by itself. */
export class BlockImports extends Effect.Service<BlockImports>()("services/BlockImports", {
  effect: Effect.gen(function* () {
    const repo = yield* BlockRepo
    const slot = yield* concurrencyLimit(maxImports)

    const validate = (organization: OrganizationId, { line, request }: ImportLine) =>
      Effect.flatMap(request, (given) =>
        checkExpiry(given.expiresAt).pipe(
          Effect.mapError(({ fields = {} }) => fields),
          Effect.zipRight(requestedBlock(organization, given))
        )
      ).pipe(
        Effect.mapError((fields): RefusedLine => ({ line, fields })),
        Effect.either
      )

    const store = Effect.fnUntraced(function* (
      organization: OrganizationId,
      before: BlockImport,
      lines: Chunk.Chunk<ImportLine>
    ) {
      const validated = yield* Effect.forEach(lines, (line) => validate(organization, line))
      const [refused, blocks] = Array.separate(validated)
      // Each batch has its own timeout, so that a long import does not exceed the request's deadline.
      const stored = blocks.length === 0 ? 0 : (yield* Effect.locally(repo.insert(blocks), requestDeadline, null)).size
      return {
        added: before.added + stored,
        existing: before.existing + blocks.length - stored,
        refused: before.refused + refused.length,
        refusedLines: [...before.refusedLines, ...refused.slice(0, maxRefusedLines - before.refusedLines.length)]
      }
    })

    /**
     * Imports the lines in batches. If a batch fails, earlier batches stay stored: a repeated import counts their lines
     * as existing.
     */
    const run = <E>(
      organization: OrganizationId,
      lines: Stream.Stream<ImportLine, E>
    ): Effect.Effect<BlockImport, E | RateLimitedError | ServiceUnavailableError> =>
      Effect.scoped(
        Effect.zipRight(
          slot(organization),
          lines.pipe(
            Stream.grouped(importBatch),
            Stream.runFoldEffect(nothing, (before, batch) => store(organization, before, batch))
          )
        )
      ).pipe(Effect.withSpan("BlockImports.run"))

    return { run } as const
  })
}) {}

const changed = (present: Block, { expiresAt, reason }: UpdateBlock, now: DateTime.Utc): Block => {
  const expected = {
    reason: afterUpdate(reason, present.reason, "manual" as const),
    expiresAt: afterUpdate(expiresAt, present.expiresAt, undefined)
  }
  const isSame =
    expected.reason === present.reason && expected.expiresAt?.epochMillis === present.expiresAt?.epochMillis
  return isSame ? present : new Block({ ...present, ...expected, updatedAt: now }, { disableValidation: true })
}

const notFound = (id: BlockId) => new ResourceNotFoundError({ resource: "block", id })

/** The addresses and domains that an organization does not send to. */
export class Blocks extends Effect.Service<Blocks>()("services/Blocks", {
  effect: Effect.gen(function* () {
    const repo = yield* BlockRepo

    const change = (organization: OrganizationId, id: BlockId, decide: (block: Block) => Effect.Effect<ChangedBlock>) =>
      Effect.flatMap(repo.change(organization, id, decide), (found) => Effect.mapError(found, () => notFound(id)))

    const create = Effect.fn("Blocks.create")(function* (organization: OrganizationId, request: CreateBlock) {
      yield* checkExpiry(request.expiresAt)
      const block = yield* requestedBlock(organization, request)
      const stored = yield* repo.insert([block])
      if (stored.has(block.id)) return block
      const mail = block.category === undefined ? "all mail" : `mail of the category ${block.category}`
      return yield* new ConflictError({
        message: `${block.value} is already blocked for ${mail}`,
        resource: "block"
      })
    })

    const get = Effect.fn("Blocks.get")(function* (organization: OrganizationId, id: BlockId) {
      return yield* Effect.mapError(yield* repo.findById(organization, id), () => notFound(id))
    })

    const update = Effect.fn("Blocks.update")(function* (
      organization: OrganizationId,
      id: BlockId,
      request: UpdateBlock
    ) {
      yield* checkExpiry(request.expiresAt)
      const now = yield* DateTime.now
      const { block } = yield* change(organization, id, (present) => {
        const block = changed(present, request, now)
        return block === present
          ? Effect.succeed({ block, removed: false, records: null })
          : Effect.map(blockRecords("updated", block), (records) => ({ block, removed: false, records }))
      })
      return block
    })

    const remove = Effect.fn("Blocks.remove")(function* (organization: OrganizationId, id: BlockId) {
      yield* change(organization, id, (block) =>
        Effect.map(blockRecords("removed", block), (records) => ({ block, removed: true, records }))
      )
    })

    /** Whether an address is blocked for mail of a category, or for all mail without a category. */
    const check = Effect.fn("Blocks.check")(function* (
      organization: OrganizationId,
      email: EmailAddress,
      category: string | undefined
    ) {
      const blocks = yield* repo.find(organization, blockKeys(email), category)
      const [block] = blocks
      const found: BlockCheck = block === undefined ? { blocked: false, blocks } : { blocked: true, block, blocks }
      return found
    })

    /**
     * Blocks the categories that a recipient of a message with these categories unsubscribes from
     * (`unsubscribedCategories`). A repeat changes nothing. Bounces and complaints are blocked in the transaction that
     * stores them.
     */
    const unsubscribe = Effect.fn("Blocks.unsubscribe")(function* (
      organization: OrganizationId,
      recipient: string,
      categories: ReadonlyArray<string>,
      sourceMessageId: MessageId
    ) {
      const blocks = yield* Effect.forEach(unsubscribedCategories(categories), (category) =>
        newAddressBlock(organization, recipient, {
          category,
          reason: "unsubscribe",
          source: "recipient",
          sourceMessageId
        })
      )
      yield* repo.strengthen(blocks)
    })

    return {
      create,
      get,
      list: repo.list,
      logs: repo.logs,
      check,
      update,
      remove,
      unsubscribe
    } as const
  })
}) {}
