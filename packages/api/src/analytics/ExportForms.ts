import { ExportedMessage, type ExportFormat } from "@switchboard/domain/analytics/Export"
import type { EncodedEvent } from "@switchboard/domain/events/EventCatalog"
import type { Message } from "@switchboard/domain/messages/Message"
import { readableRows } from "@switchboard/services/ReadableRows"
import { Effect, Schema, Stream } from "effect"
import { csvText } from "../csv/Csv.js"
import { eventCells, eventColumns, messageCells, messageColumns } from "./ExportColumns.js"

type Pages<Row, E, R> = Stream.Stream<ReadonlyArray<Row>, E, R>

const encodeMessage = Schema.encodeSync(ExportedMessage)

/** What a row is in each form. */
export interface RowForms<Row> {
  readonly json: (row: Row) => unknown
  readonly columns: ReadonlyArray<string>
  readonly cells: (row: Row) => ReadonlyArray<string>
}

export const messageForms: RowForms<Message> = {
  json: (message) => encodeMessage(message),
  columns: messageColumns,
  cells: messageCells
}

export const eventForms: RowForms<EncodedEvent> = { json: (event) => event, columns: eventColumns, cells: eventCells }

const asNdjson = <Row, E, R>({ json }: RowForms<Row>, pages: Pages<Row, E, R>) =>
  Stream.mapEffect(pages, (page) =>
    Effect.map(
      readableRows(page, (row) => `${JSON.stringify(json(row))}\n`),
      (lines) => lines.join("")
    )
  )

/** One array: it is closed after the last row alone, so that what was cut off can't be read as if it were whole. */
const asJson = <Row, E, R>({ json }: RowForms<Row>, pages: Pages<Row, E, R>) =>
  pages.pipe(
    Stream.mapEffect((page) => readableRows(page, (row) => JSON.stringify(json(row)))),
    Stream.filter((page) => page.length > 0),
    Stream.mapAccum("", (before, page) => [",\n", before + page.join(",\n")]),
    (rows) => Stream.concat(Stream.make("["), Stream.concat(rows, Stream.make("]\n")))
  )

/** An export as text, page by page. */
export const exportText = <Row, E, R>(
  format: ExportFormat,
  forms: RowForms<Row>,
  pages: Pages<Row, E, R>
): Stream.Stream<string, E, R> =>
  Stream.filter(
    format === "csv"
      ? csvText(forms.columns, forms.cells, pages)
      : format === "json"
        ? asJson(forms, pages)
        : asNdjson(forms, pages),
    (text) => text !== ""
  )
