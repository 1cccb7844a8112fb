import { readableRows } from "@switchboard/services/ReadableRows"
import { stringify } from "csv-stringify/sync"
import { Effect, Stream } from "effect"

/** RFC 4180. A line break of either half is quoted too: not every program asks for both. */
const options = { record_delimiter: "windows", quoted_match: /[\r\n]/ } as const

/** What programs take for the beginning of a formula, after blanks too, in both widths. */
const formula = "(?:[\\t\\r\\n]|\\s*[=+\\-@＝＋－＠])"
const runnable = new RegExp(`^'*${formula}`)
const escaped = new RegExp(`^'+${formula}`)

/** An apostrophe before a cell that a spreadsheet would run as a formula says that it is text. */
const escapeFormula = (cell: string) => (runnable.test(cell) ? `'${cell}` : cell)

/** The cell that was escaped. */
export const unescapeFormula = (cell: string): string => (escaped.test(cell) ? cell.slice(1) : cell)

/** Lines of cells. */
export const csvRows = (rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  rows.length === 0
    ? ""
    : stringify(
        rows.map((cells) => cells.map(escapeFormula)),
        options
      )

/** The first line: what the columns are called. */
export const csvHeader = (columns: ReadonlyArray<string>): string => csvRows([columns])

/** A file: the line of names, then a line for each row, page by page. */
export const csvText = <Row, E, R>(
  columns: ReadonlyArray<string>,
  cells: (row: Row) => ReadonlyArray<string>,
  pages: Stream.Stream<ReadonlyArray<Row>, E, R>
): Stream.Stream<string, E, R> =>
  Stream.concat(
    Stream.make(csvHeader(columns)),
    Stream.mapEffect(pages, (page) => Effect.map(readableRows(page, cells), csvRows))
  ).pipe(Stream.filter((text) => text !== ""))
