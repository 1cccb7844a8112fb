import { HttpServerResponse } from "@effect/platform"
import type { ExportFormat } from "@switchboard/domain/analytics/Export"
import { DateTime, Effect, Stream } from "effect"
import { compressible } from "../http/Compression.js"

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
