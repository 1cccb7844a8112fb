import { stringify } from "csv-stringify/sync"

/** RFC 4180. A line break of either half is quoted too: not every program asks for both. */
const options = { record_delimiter: "windows", quoted_match: /[\r\n]/ } as const

/** What programs take for the beginning of a formula, also after blanks, in both widths. */
const formula = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/

/** A cell that a spreadsheet would run gets an apostrophe before it, which says: this is text. */
const inert = (cell: string) => (formula.test(cell) ? `'${cell}` : cell)

/** Lines of cells. */
export const csvRows = (rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  rows.length === 0
    ? ""
    : stringify(
        rows.map((cells) => cells.map(inert)),
        options
      )

/** The first line: what the columns are called. */
export const csvHeader = (columns: ReadonlyArray<string>): string => csvRows([columns])
