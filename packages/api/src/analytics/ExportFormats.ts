import { ExportedMessage, type ExportFormat } from "@switchboard/domain/analytics/Export"
import type { EncodedEvent } from "@switchboard/domain/events/EventCatalog"
import type { Message } from "@switchboard/domain/messages/Message"
import { readableRows } from "@switchboard/services/ReadableRows"
import { Effect, Schema, Stream } from "effect"
import { csvText } from "../csv/Csv.js"
import { eventCells, eventColumns, messageCells, messageColumns } from "./ExportColumns.js"

type Pages<Row, E, R> = Stream.Stream<ReadonlyArray<Row>, E, R>

const encodeMessage = Schema.encodeSync(ExportedMessage)

/** Encodes a row in each format. */
export interface RowEncoders<Row> {
  readonly json: (row: Row) => unknown
  readonly columns: ReadonlyArray<string>
  readonly cells: (row: Row) => ReadonlyArray<string>
}

export const messageEncoders: RowEncoders<Message> = {
  json: (message) => encodeMessage(message),
  columns: messageColumns,
  cells: messageCells
}

export const eventEncoders: RowEncoders<EncodedEvent> = {
  json: (event) => event,
  columns: eventColumns,
  cells: eventCells
}

const asNdjson = <Row, E, R>({ json }: RowEncoders<Row>, pages: Pages<Row, E, R>) =>
  Stream.mapEffect(pages, (page) =>
    Effect.map(
      readableRows(page, (row) => `${JSON.stringify(json(row))}\n`),
      (lines) => lines.join("")
    )
  )

/** One JSON array. It is closed after the last row, so that a truncated export is invalid JSON. */
const asJson = <Row, E, R>({ json }: RowEncoders<Row>, pages: Pages<Row, E, R>) =>
  pages.pipe(
    Stream.mapEffect((page) => readableRows(page, (row) => JSON.stringify(json(row)))),
    Stream.filter((page) => page.length > 0),
    Stream.mapAccum("", (before, page) => [",\n", before + page.join(",\n")]),
    (rows) => Stream.concat(Stream.make("["), Stream.concat(rows, Stream.make("]\n")))
  )

/** An export as text, page by page. */
export const exportText = <Row, E, R>(
  format: ExportFormat,
  encoders: RowEncoders<Row>,
  pages: Pages<Row, E, R>
): Stream.Stream<string, E, R> =>
  Stream.filter(
    format === "csv"
      ? csvText(encoders.columns, encoders.cells, pages)
      : format === "json"
        ? asJson(encoders, pages)
        : asNdjson(encoders, pages),
    (text) => text !== ""
  )
