import { isUtf8 } from "node:buffer"
import { Readable } from "node:stream"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { BadRequestError } from "@switchboard/domain/Errors"
import { unescapeFormula } from "@switchboard/domain/FormulaCell"
import { CsvError, parse } from "csv-parse"
import { Stream } from "effect"

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
const options = {
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

function* slicesOf(bytes: Uint8Array) {
  for (let from = 0; from < bytes.length; from += sliceSize) yield bytes.subarray(from, from + sliceSize)
}

/** The result of the parser with the option `info`. */
interface Parsed {
  readonly info: { readonly lines: number }
  readonly record: ReadonlyArray<string>
}

/** The records of a CSV file as a lazy stream. Empty lines are skipped, and escaped formulas are unescaped. */
export const csvRecords = (bytes: Uint8Array): Stream.Stream<CsvRecord, BadRequestError> =>
  isUtf8(bytes)
    ? Stream.map(
        NodeStream.fromReadable<BadRequestError, Parsed>(
          () => Readable.from(slicesOf(bytes), { objectMode: false }).pipe(parse(options)),
          problemOf
        ),
        ({ info: { lines: line }, record }) => ({ line, cells: record.map(unescapeFormula) })
      )
    : Stream.fail(malformed("it is not valid UTF-8"))
