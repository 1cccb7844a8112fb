import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import type { ExportFormat } from "@switchboard/domain/analytics/Export"
import { DateTime, Effect, Stream } from "effect"
import { endingWhole } from "../http/TruncationGuard.js"

/** The media type of each format. */
const contentTypes: Record<ExportFormat, string> = {
  csv: "text/csv; charset=utf-8",
  json: "application/json",
  ndjson: "application/x-ndjson"
}

/** Responds with the text of an export as a file that is named after its content and the date. */
export const answerExport = <E>(name: string, format: ExportFormat, text: Stream.Stream<string, E>) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const today = DateTime.formatIsoDateUtc(yield* DateTime.now)
    return HttpServerResponse.stream(Stream.encodeText(endingWhole(request, "An export", text)), {
      contentType: contentTypes[format],
      headers: { "content-disposition": `attachment; filename="${name}-${today}.${format}"` }
    })
  })
