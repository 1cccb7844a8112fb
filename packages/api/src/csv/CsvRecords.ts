import { isUtf8 } from "node:buffer"
import { Readable } from "node:stream"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { BadRequestError } from "@switchboard/domain/Errors"
import { CsvError, parse } from "csv-parse"
import { Stream } from "effect"
import { unescapeFormula } from "./Csv.js"

/** A record of a file. */
export interface CsvRecord {
  /** The line that it ends on, from 1. */
  readonly line: number
  readonly cells: ReadonlyArray<string>
}

/** Octets of a record: a quote that is never closed must not take the rest of the file. */
const recordLimit = 4_096

/** Octets that are parsed at a time: other requests have their turn in between. */
const sliceSize = 64 * 1024

/** RFC 4180, with either line break, and with or without a byte order mark. */
const options = {
  bom: true,
  info: true,
  max_record_size: recordLimit,
  record_delimiter: ["\r\n", "\n"],
  relax_column_count: true,
  // A quote inside a cell is part of it: that concerns one line, not the file.
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

/** What the parser returns with `info`. */
interface Parsed {
  readonly info: { readonly lines: number }
  readonly record: ReadonlyArray<string>
}

/** The records of a file, read as they are needed. Empty lines are left out, escaped formulas are text again. */
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
