import type { RateLimitedError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import { type BlockImport, maxRefusedLines, type RefusedLine } from "@switchboard/domain/email/blocks/BlockImport"
import type { CreateBlock } from "@switchboard/domain/email/blocks/BlockRequests"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Array, type Chunk, Effect, type Either, Stream } from "effect"
import { checkExpiry } from "../../CheckExpiry.js"
import { concurrencyLimit } from "../../ConcurrencyLimit.js"
import { requestDeadline } from "../../RequestDeadline.js"
import { BlockRepo } from "./BlockRepo.js"
import { requestedBlock } from "./NewBlock.js"

/** The maximum number of concurrent imports of an organization in one process. */
export const maxImports = 2

/** The maximum number of lines of one transaction. */
const importBatch = 500

/** A line of an import: the requested block, or its errors. */
export interface ImportLine {
  readonly line: number
  readonly request: Either.Either<CreateBlock, RefusedLine["fields"]>
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
