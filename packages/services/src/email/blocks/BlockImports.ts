import type { RateLimitedError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import { type BlockImport, maxRefusedLines, type RefusedLine } from "@switchboard/domain/email/blocks/BlockImport"
import type { CreateBlock } from "@switchboard/domain/email/blocks/BlockRequests"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Array, type Chunk, Effect, type Either, Stream } from "effect"
import { checkExpiry } from "../../CheckExpiry.js"
import { places } from "../../Places.js"
import { requestDeadline } from "../../RequestDeadline.js"
import { BlockRepo } from "./BlockRepo.js"
import { requestedBlock } from "./NewBlock.js"

/** Imports that an organization may have under way in one process. */
export const maxImports = 2

/** Lines of one transaction. */
const importBatch = 500

/** A line of an import: the block that it asks for, or what is wrong with it. */
export interface ImportLine {
  readonly line: number
  readonly request: Either.Either<CreateBlock, RefusedLine["fields"]>
}

const nothing: BlockImport = { added: 0, existing: 0, refused: 0, refusedLines: [] }

/** Adds many blocks, each judged by itself. */
export class BlockImports extends Effect.Service<BlockImports>()("services/BlockImports", {
  effect: Effect.gen(function* () {
    const repo = yield* BlockRepo
    const place = yield* places(maxImports)

    const judge = (organization: OrganizationId, { line, request }: ImportLine) =>
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
      const judged = yield* Effect.forEach(lines, (line) => judge(organization, line))
      const [refused, blocks] = Array.separate(judged)
      // Each batch has its own time limit: a long import does not run out of its request's.
      const stored = blocks.length === 0 ? 0 : (yield* Effect.locally(repo.insert(blocks), requestDeadline, null)).size
      return {
        added: before.added + stored,
        existing: before.existing + blocks.length - stored,
        refused: before.refused + refused.length,
        refusedLines: [...before.refusedLines, ...refused.slice(0, maxRefusedLines - before.refusedLines.length)]
      }
    })

    /**
     * Adds the blocks of these lines, a batch after the other. If one fails, the batches before it stay: a repeat counts
     * their lines as existing.
     */
    const run = <E>(
      organization: OrganizationId,
      lines: Stream.Stream<ImportLine, E>
    ): Effect.Effect<BlockImport, E | RateLimitedError | ServiceUnavailableError> =>
      Effect.scoped(
        Effect.zipRight(
          place(organization),
          lines.pipe(
            Stream.grouped(importBatch),
            Stream.runFoldEffect(nothing, (before, batch) => store(organization, before, batch))
          )
        )
      ).pipe(Effect.withSpan("BlockImports.run"))

    return { run } as const
  })
}) {}
