import { eventExamples } from "@switchboard/domain/events/EventExamples"
import { csvHeader, csvRows } from "../csv/Csv.js"
import { eventColumns } from "./ExportColumns.js"

/** One row of an export. */
export const exportExample = {
  id: "01a1fc1d-e1c9-7d52-8a0c-55f3b1b2c3d4",
  type: "email_block.created",
  timestamp: "2026-11-20T09:30:02.000Z",
  organizationId: "01a1fc1d-cf8f-76d9-be28-52307925009f",
  data: eventExamples["email_block.created"]
}

const text = { type: "string" }

/** Formats of exports besides JSON, by media type. */
export const exportContents = {
  "text/csv": {
    schema: { ...text, description: "A line of column names, then one line per row." },
    example:
      csvHeader(eventColumns) +
      csvRows([
        [
          exportExample.id,
          exportExample.type,
          exportExample.timestamp,
          exportExample.organizationId,
          JSON.stringify(exportExample.data)
        ]
      ])
  },
  "application/x-ndjson": {
    schema: { ...text, description: "One JSON object per line, in the form of the items of `application/json`." },
    example: `${JSON.stringify(exportExample)}\n`
  }
}
