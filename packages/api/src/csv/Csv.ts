import { isUtf8 } from "node:buffer"
import { Readable } from "node:stream"
import { HttpServerResponse } from "@effect/platform"
import * as NodeStream from "@effect/platform-node/NodeStream"
import type { ExportFormat } from "@switchboard/domain/analytics/Export"
import { BadRequestError } from "@switchboard/domain/Errors"
import { escapeFormula, unescapeFormula } from "@switchboard/domain/Text"
import { readableRows } from "@switchboard/services/ReadableRows"
import { CsvError, parse } from "csv-parse"
import { stringify } from "csv-stringify/sync"
import { Array, DateTime, Effect, Order, Stream } from "effect"
import { compressible } from "../http/Compression.js"

/** A record of a CSV file. */
export interface CsvRecord {
  /** The line on which the record ends, from 1. */
  readonly line: number
  readonly cells: ReadonlyArray<string>
}

/** The maximum size of a record, in bytes: an unclosed quote must not consume the rest of the file. */
const recordLimit = 4_096

/** The size of a slice, in bytes. Other requests run between the parsing of two slices. */
const sliceSize = 64 * 1024

/** RFC 4180, with either line break, and with or without a byte order mark. */
const parseOptions = {
  bom: true,
  info: true,
  max_record_size: recordLimit,
  record_delimiter: ["\r\n", "\n"],
  relax_column_count: true,
  // A quote inside an unquoted cell is part of it, so that it does not invalidate the file.
  relax_quotes: true,
  skip_empty_lines: true
}

const malformed = (problem: string) => new BadRequestError({ message: `The body is not valid CSV: ${problem}` })

const problemOf = (error: unknown) => {
  const line = error instanceof CsvError && typeof error.lines === "number" ? `line ${error.lines}` : "a line"
  return malformed(`${line} has a quote that is not closed, or more than ${recordLimit} bytes`)
}

/** The text in UTF-8. A file with the byte order mark of UTF-16, as spreadsheets save it, is converted. */
const inUtf8 = (bytes: Uint8Array): Uint8Array | null => {
  const label =
    bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : null
  if (label === null) return isUtf8(bytes) ? bytes : null
  try {
    return Buffer.from(new TextDecoder(label, { fatal: true }).decode(bytes))
  } catch {
    return null
  }
}

const separators = [",", ";", "\t"] as const

/** The separator of most cells of the first line: spreadsheets write semicolons or tabs in some languages. */
const separatorOf = (bytes: Uint8Array): string => {
  const end = bytes.indexOf(0x0a)
  const line = Buffer.from(bytes.subarray(0, Math.min(end < 0 ? bytes.length : end, recordLimit))).toString()
  return Array.max(
    separators,
    Order.mapInput(Order.number, (separator: string) => line.split(separator).length)
  )
}

function* slicesOf(bytes: Uint8Array) {
  for (let from = 0; from < bytes.length; from += sliceSize) yield bytes.subarray(from, from + sliceSize)
}

/** The result of the parser with the option `info`. */
interface Parsed {
  readonly info: { readonly lines: number }
  readonly record: ReadonlyArray<string>
}

/**
 * The records of a CSV file as a lazy stream, in UTF-8 or UTF-16, with commas, semicolons or tabs. Empty lines are skipped,
 * and escaped formulas are unescaped.
 */
export const csvRecords = (octets: Uint8Array): Stream.Stream<CsvRecord, BadRequestError> => {
  const bytes = inUtf8(octets)
  if (bytes === null) return Stream.fail(malformed("it is neither valid UTF-8 nor UTF-16 with a byte order mark"))
  const ofFile = { ...parseOptions, delimiter: separatorOf(bytes) }
  return Stream.map(
    NodeStream.fromReadable<BadRequestError, Parsed>(
      () => Readable.from(slicesOf(bytes), { objectMode: false }).pipe(parse(ofFile)),
      problemOf
    ),
    ({ info: { lines: line }, record }) => ({ line, cells: record.map(unescapeFormula) })
  )
}

/** The media type of each format. */
const contentTypes: Record<ExportFormat, string> = {
  csv: "text/csv; charset=utf-8",
  json: "application/json",
  ndjson: "application/x-ndjson"
}

/** The response of an export: a file named after its content and the date. */
export const exportResponse = <E>(name: string, format: ExportFormat, text: Stream.Stream<string, E>) =>
  Effect.map(DateTime.now, (now) =>
    HttpServerResponse.stream(Stream.encodeText(text), {
      contentType: contentTypes[format],
      headers: {
        ...compressible,
        "content-disposition": `attachment; filename="${name}-${DateTime.formatIsoDateUtc(now)}.${format}"`
      }
    })
  )

/** NDJSON as a stream: one line per row, page by page. */
export const ndjsonText = <Row, E, R>(
  json: (row: Row) => unknown,
  pages: Stream.Stream<ReadonlyArray<Row>, E, R>
): Stream.Stream<string, E, R> =>
  pages.pipe(
    Stream.mapEffect((page) => readableRows(page, (row) => `${JSON.stringify(json(row))}\n`)),
    Stream.map((lines) => lines.join("")),
    Stream.filter((text) => text !== "")
  )

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
