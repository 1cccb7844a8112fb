import { Schema } from "effect"

/** The maximum number of lines of an import, without the header. */
export const maxImportLines = 100_000

/** The maximum number of rejected lines in a response. */
export const maxRefusedLines = 1_000

/** The columns of imported and exported blocks. */
export const blockColumns = ["email", "domain", "reason", "category", "expiresAt"] as const

const count = (description: string) => Schema.Int.annotations({ description })

/** A line that was rejected. */
export const RefusedLine = Schema.Struct({
  line: count("the number of the line in the file, from 1; of a cell over several lines, the last"),
  fields: Schema.Record({ key: Schema.String, value: Schema.Array(Schema.String) }).annotations({
    description: "error messages by column"
  })
}).annotations({ identifier: "RefusedBlockLine" })
export type RefusedLine = typeof RefusedLine.Type

/** The result of an import of blocks. */
export const BlockImport = Schema.Struct({
  added: count("blocks that were added"),
  existing: count("lines with the address or domain and the scope of a block in force, or of an earlier line"),
  refused: count("lines that are no valid block"),
  refusedLines: Schema.Array(RefusedLine).annotations({ description: `the first ${maxRefusedLines} refused lines` })
}).annotations({ identifier: "BlockImport" })
export type BlockImport = typeof BlockImport.Type
