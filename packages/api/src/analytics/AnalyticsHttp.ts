import { HttpApiBuilder } from "@effect/platform"
import { ExportedMessage, type ExportFormat } from "@switchboard/domain/analytics/Export"
import type { EncodedEvent } from "@switchboard/domain/events/EventCatalog"
import type { Message } from "@switchboard/domain/messages/Message"
import { Analytics } from "@switchboard/services/analytics/Analytics"
import { Exports } from "@switchboard/services/analytics/Exports"
import { readableRows } from "@switchboard/services/ReadableRows"
import { Effect, Schema, Stream } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { csvText, exportResponse, ndjsonText } from "../csv/Csv.js"
import { jsonTextResponse, withBodies } from "../http/WithBodies.js"
import { eventCells, eventColumns, messageCells, messageColumns } from "./ExportColumns.js"

type Pages<Row, E, R> = Stream.Stream<ReadonlyArray<Row>, E, R>

const encodeMessage = Schema.encodeSync(ExportedMessage)

/** Encodes a row in each format. */
interface RowEncoders<Row> {
  readonly json: (row: Row) => unknown
  readonly columns: ReadonlyArray<string>
  readonly cells: (row: Row) => ReadonlyArray<string>
}

const messageEncoders: RowEncoders<Message> = {
  json: (message) => encodeMessage(message),
  columns: messageColumns,
  cells: messageCells
}

const eventEncoders: RowEncoders<EncodedEvent> = {
  json: (event) => event,
  columns: eventColumns,
  cells: eventCells
}

/** One JSON array. It is closed after the last row, so that a truncated export is invalid JSON. */
const asJson = <Row, E, R>({ json }: RowEncoders<Row>, pages: Pages<Row, E, R>) =>
  pages.pipe(
    Stream.mapEffect((page) => readableRows(page, (row) => JSON.stringify(json(row)))),
    Stream.filter((page) => page.length > 0),
    Stream.mapAccum("", (before, page) => [",\n", before + page.join(",\n")]),
    (rows) => Stream.concat(Stream.make("["), Stream.concat(rows, Stream.make("]\n")))
  )

/** An export as text, page by page. */
const exportText = <Row, E, R>(
  format: ExportFormat,
  encoders: RowEncoders<Row>,
  pages: Pages<Row, E, R>
): Stream.Stream<string, E, R> =>
  Stream.filter(
    format === "csv"
      ? csvText(encoders.columns, encoders.cells, pages)
      : format === "json"
        ? asJson(encoders, pages)
        : ndjsonText(encoders.json, pages),
    (text) => text !== ""
  )

export const AnalyticsHttp = HttpApiBuilder.group(
  Api,
  "analytics",
  Effect.fnUntraced(function* (handlers) {
    const analytics = yield* Analytics
    const exports = yield* Exports
    return yield* handlers
      .handle("stats", ({ urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => analytics.stats(organizationId, urlParams))
      )
      .handle("channelStats", ({ urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => analytics.channelStats(organizationId, urlParams))
      )
      .handle("deliveryMetrics", ({ urlParams: { granularity, ...requested } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(analytics.deliveryMetrics(organizationId, requested, granularity), (json) =>
            jsonTextResponse(json)
          )
        )
      )
      .handle("hourlyDistribution", ({ urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => analytics.hourlyDistribution(organizationId, urlParams))
      )
      .handle("topParticipants", ({ urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => analytics.topParticipants(organizationId, urlParams))
      )
      .handle("geographicDistribution", ({ urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          analytics.geographicDistribution(organizationId, urlParams)
        )
      )
      .handle("failures", ({ urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => analytics.failures(organizationId, urlParams))
      )
      .handleRaw("export", ({ urlParams: { format = "json", type = "messages", ...requested } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          type === "messages"
            ? Effect.flatMap(exports.messages(organizationId, requested), (pages) =>
                exportResponse(type, format, exportText(format, messageEncoders, pages))
              )
            : Effect.flatMap(exports.events(organizationId, requested), (pages) =>
                exportResponse(type, format, exportText(format, eventEncoders, pages))
              )
        )
      )
      .pipe(withBodies)
  })
)
