import { HttpApiBuilder } from "@effect/platform"
import { ValidationError } from "@switchboard/domain/Errors"
import {
  type Block,
  BlockId,
  blockColumns,
  ImportedBlock,
  maxImportLines
} from "@switchboard/domain/email/blocks/Block"
import { type BlockLines, blockLines } from "@switchboard/domain/email/blocks/BlockFile"
import { pageRequest } from "@switchboard/domain/Page"
import { Exports } from "@switchboard/services/analytics/Exports"
import { BlockImports, Blocks, type ImportLine } from "@switchboard/services/email/blocks/Blocks"
import { DateTime, Effect, Option, Stream } from "effect"
import { Api } from "../../Api.js"
import { CurrentCaller } from "../../Authorization.js"
import { removed } from "../../CommonShapes.js"
import { type CsvRecord, csvRecords, csvText, exportResponse } from "../../csv/Csv.js"
import { decodeBody } from "../../http/body/DecodeBody.js"
import { readOctets } from "../../http/body/RequestBody.js"
import { withBodies } from "../../http/WithBodies.js"
import { handleOnce } from "../../idempotency/HandleOnce.js"

const invalidFile = (fields: ValidationError["fields"]) =>
  new ValidationError({ message: "The file is invalid", fields })

const decode = decodeBody(ImportedBlock)

const lineOf =
  (read: BlockLines) =>
  ({ cells, line }: CsvRecord): Effect.Effect<ImportLine> =>
    Effect.map(
      Effect.either(
        Effect.flatMap(read(cells), (fields) =>
          Effect.mapError(decode(fields), ({ fields: problems = {} }) => problems)
        )
      ),
      (request) => ({ line, request })
    )

/** The lines of an uploaded CSV file. The complete file is validated first: if it is rejected, nothing is stored. */
const readBlockFile = Effect.gen(function* () {
  const records = csvRecords(yield* readOctets("text/csv"))
  const header = Option.match(yield* Stream.runHead(records), { onNone: () => [], onSome: ({ cells }) => cells })
  const read = yield* Effect.mapError(blockLines(header), (problems) => invalidFile({ header: problems }))
  const count = yield* Stream.runCount(Stream.take(records, maxImportLines + 2))
  if (count > maxImportLines + 1) return yield* invalidFile({ lines: [`must be at most ${maxImportLines}`] })
  return Stream.mapEffect(Stream.drop(records, 1), lineOf(read))
})

/** The cells of a block, in the order of the columns. */
const blockCells = ({ category = "", createdAt, expiresAt, reason, type, value }: Block): ReadonlyArray<string> => [
  type === "email" ? value : "",
  type === "domain" ? value : "",
  reason,
  category,
  expiresAt === undefined ? "" : DateTime.formatIso(expiresAt),
  DateTime.formatIso(createdAt)
]

export const BlocksHttp = HttpApiBuilder.group(
  Api,
  "blocks",
  Effect.fnUntraced(function* (handlers) {
    const blocks = yield* Blocks
    const once = yield* handleOnce
    const imports = yield* BlockImports
    const exports = yield* Exports
    return yield* handlers
      .handle("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => blocks.list(organizationId, filters, pageRequest(params)))
      )
      .handle(
        "create",
        once(
          ({ payload }, { organizationId }) => blocks.create(organizationId, payload),
          (id, { organizationId }) => blocks.get(organizationId, BlockId.make(id))
        )
      )
      .handle("check", ({ urlParams: { category, email } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => blocks.check(organizationId, email, category))
      )
      .handle("logs", ({ urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => blocks.logs(organizationId, pageRequest(urlParams)))
      )
      .handle("import", () =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          return yield* imports.run(organizationId, yield* readBlockFile)
        })
      )
      .handleRaw("export", () =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.flatMap(exports.blocks(organizationId), (pages) =>
            exportResponse("blocks", "csv", csvText(blockColumns, blockCells, pages))
          )
        )
      )
      .handle("update", ({ path: { id }, payload }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => blocks.update(organizationId, id, payload))
      )
      .handle("remove", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => Effect.as(blocks.remove(organizationId, id), removed))
      )
      .pipe(withBodies)
  })
)
