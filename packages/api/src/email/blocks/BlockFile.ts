import { ValidationError } from "@switchboard/domain/Errors"
import type { Block } from "@switchboard/domain/email/blocks/Block"
import { blockColumns, maxImportLines } from "@switchboard/domain/email/blocks/BlockImport"
import { CreateBlock } from "@switchboard/domain/email/blocks/BlockRequests"
import type { ImportLine } from "@switchboard/services/email/blocks/BlockImports"
import { DateTime, Effect, Either, Option, Stream } from "effect"
import type { CsvRecord } from "../../csv/CsvRecords.js"
import { csvRecords } from "../../csv/CsvRecords.js"
import { decodeBody } from "../../http/body/DecodeBody.js"
import { readOctets } from "../../http/body/RequestBody.js"

const isColumn = (name: string) => blockColumns.some((column) => column === name)

const invalidFile = (fields: ValidationError["fields"]) =>
  new ValidationError({ message: "The file is invalid", fields })

/** Errors of the column names. */
const problemsOf = (header: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...header.flatMap((name) => (isColumn(name) ? [] : [`must be names of ${blockColumns.join(", ")}`])).slice(0, 1),
  ...(new Set(header).size === header.length ? [] : ["must not name a column twice"]),
  ...(header.includes("email") || header.includes("domain") ? [] : ["must name email or domain"])
]

const decode = decodeBody(CreateBlock)

/** The request of a record, or its errors. An empty or missing cell is a missing field. */
const requestOf = (header: ReadonlyArray<string>, cells: ReadonlyArray<string>) =>
  cells.length > header.length
    ? Effect.succeed(Either.left({ line: [`must have at most ${header.length} cells`] }))
    : decode(
        Object.fromEntries(
          header.flatMap((name, place) => {
            const cell = cells[place] ?? ""
            return cell === "" ? [] : [[name, cell]]
          })
        )
      ).pipe(
        Effect.mapError(({ fields = {} }) => fields),
        Effect.either
      )

const lineOf =
  (header: ReadonlyArray<string>) =>
  ({ cells, line }: CsvRecord): Effect.Effect<ImportLine> =>
    Effect.map(requestOf(header, cells), (request) => ({ line, request }))

/** The lines of an uploaded CSV file. The complete file is validated first: if it is rejected, nothing is stored. */
export const readBlockFile = Effect.gen(function* () {
  const records = csvRecords(yield* readOctets("text/csv"))
  const header = Option.match(yield* Stream.runHead(records), { onNone: () => [], onSome: ({ cells }) => cells })
  const problems = problemsOf(header)
  if (problems.length > 0) return yield* invalidFile({ header: problems })
  const count = yield* Stream.runCount(Stream.take(records, maxImportLines + 2))
  if (count > maxImportLines + 1) return yield* invalidFile({ lines: [`must be at most ${maxImportLines}`] })
  return Stream.mapEffect(Stream.drop(records, 1), lineOf(header))
})

/** The cells of a block, in the order of the columns. */
export const blockCells = ({ category = "", expiresAt, reason, type, value }: Block): ReadonlyArray<string> => [
  type === "email" ? value : "",
  type === "domain" ? value : "",
  reason,
  category,
  expiresAt === undefined ? "" : DateTime.formatIso(expiresAt)
]
