import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import type { ExportFormat } from "@switchboard/domain/analytics/Export"
import { DateTime, Effect, Stream } from "effect"
import { guardTruncation } from "../http/TruncationGuard.js"

/** The media type of each format. */
const contentTypes: Record<ExportFormat, string> = {
  csv: "text/csv; charset=utf-8",
  json: "application/json",
  ndjson: "application/x-ndjson"
}

/** The response of an export: a file named after its content and the date. */
export const exportResponse = <E>(name: string, format: ExportFormat, text: Stream.Stream<string, E>) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const today = DateTime.formatIsoDateUtc(yield* DateTime.now)
    return HttpServerResponse.stream(Stream.encodeText(guardTruncation(request, "An export", text)), {
      contentType: contentTypes[format],
      headers: { "content-disposition": `attachment; filename="${name}-${today}.${format}"` }
    })
  })
