import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import type { ExportFormat, ExportType } from "@switchboard/domain/analytics/Export"
import { DateTime, Effect, Stream } from "effect"
import { endingWhole } from "../EndingWhole.js"
import { contentTypes, exportText, type RowForms } from "./ExportForms.js"

/** Answers the rows of an export as a file. */
export const answerExport =
  <Row>(type: ExportType, format: ExportFormat, forms: RowForms<Row>) =>
  <E>(pages: Stream.Stream<ReadonlyArray<Row>, E>) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const today = DateTime.formatIsoDateUtc(yield* DateTime.now)
      return HttpServerResponse.stream(
        Stream.encodeText(endingWhole(request, "An export", exportText(format, forms, pages))),
        {
          contentType: contentTypes[format],
          headers: { "content-disposition": `attachment; filename="${type}-${today}.${format}"` }
        }
      )
    })
