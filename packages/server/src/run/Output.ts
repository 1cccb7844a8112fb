import { Options } from "@effect/cli"
import { Console, DateTime, Effect, Option, Schema } from "effect"
import stringWidth from "string-width"

/** The option `--json` of commands that list something. */
export const jsonOption = Options.boolean("json").pipe(
  Options.withDescription("prints only JSON on standard output; default: a table")
)

/** Prints a value as JSON. */
export const printJson = (value: unknown) => Console.log(JSON.stringify(value, null, 2))

/** Lines with aligned columns, by the width of the characters on a terminal. The last column is not padded. */
export const alignColumns = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = (rows[0] ?? []).map((_, column) =>
    rows.reduce((width, cells) => Math.max(width, stringWidth(cells[column] ?? "")), 0)
  )
  const lineOf = (cells: ReadonlyArray<string>) =>
    cells
      .map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - stringWidth(cell)))
      .join("  ")
      .trimEnd()
  return rows.map(lineOf).join("\n")
}

/** The columns of a table: the heading, and the cell of an item. Control characters of cells are not printed. */
export type Columns<A> = Readonly<Record<string, (item: A) => string | undefined>>

/** A table with headings. An empty cell is a hyphen. */
export const tableOf = <A>(columns: Columns<A>, items: ReadonlyArray<A>): string =>
  alignColumns([
    Object.keys(columns),
    ...items.map((item) => Object.values(columns).map((cell) => cell(item)?.replace(/\p{Cc}/gu, " ") || "-"))
  ])

/** Prints items as a table, or as JSON by their schema. */
export const printList =
  <A, I>(schema: Schema.Schema<A, I>, columns: Columns<A>) =>
  (items: ReadonlyArray<A>, isJson: boolean) =>
    isJson
      ? Effect.flatMap(Schema.encode(Schema.Array(schema))(items), printJson)
      : Console.log(tableOf(columns, items))

/** A time in a table. */
export const timeCell = (time: DateTime.Utc | null | undefined) =>
  Option.getOrUndefined(Option.map(Option.fromNullable(time), (at) => DateTime.formatIso(at).replace(/\.\d+/, "")))
