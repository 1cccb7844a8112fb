import { escapeFormula } from "@switchboard/domain/FormulaCell"
import { readableRows } from "@switchboard/services/ReadableRows"
import { stringify } from "csv-stringify/sync"
import { Effect, Stream } from "effect"

/** RFC 4180. A single CR or LF is quoted too, because some programs treat it as a line break. */
const options = { record_delimiter: "windows", quoted_match: /[\r\n]/ } as const

/** Lines of CSV. */
export const csvRows = (rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  rows.length === 0
    ? ""
    : stringify(
        rows.map((cells) => cells.map(escapeFormula)),
        options
      )

/** The first line: the names of the columns. */
export const csvHeader = (columns: ReadonlyArray<string>): string => csvRows([columns])

/** A CSV file as a stream: the header line, then one line per row, page by page. */
export const csvText = <Row, E, R>(
  columns: ReadonlyArray<string>,
  cells: (row: Row) => ReadonlyArray<string>,
  pages: Stream.Stream<ReadonlyArray<Row>, E, R>
): Stream.Stream<string, E, R> =>
  Stream.concat(
    Stream.make(csvHeader(columns)),
    Stream.mapEffect(pages, (page) => Effect.map(readableRows(page, cells), csvRows))
  ).pipe(Stream.filter((text) => text !== ""))
