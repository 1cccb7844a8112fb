import { eventExamples } from "@switchboard/domain/events/EventExamples"
import { csvHeader, csvRows } from "../csv/Csv.js"
import { eventColumns, messageColumns } from "./ExportColumns.js"

/** Describes exports. */
export const exportDescription = [
  "Streams all messages accepted in a range, or all events of it, oldest first, by id.",
  "",
  "- **Messages** are exported as `GET /messages/{id}` returns them, without `html` and `text`.",
  "- **Events** are exported as webhooks post them, without events of deleted messages.",
  "- **CSV** (RFC 4180) begins with a line of column names.",
  `- **Columns of messages:** ${messageColumns.map((name) => `\`${name}\``).join(", ")}. Lists are separated by commas.`,
  `- **Columns of events:** ${eventColumns.map((name) => `\`${name}\``).join(", ")}. \`data\` is JSON.`,
  "- New columns are appended. A cell that a spreadsheet would run as a formula gets a leading apostrophe.",
  "- An incomplete response ends without its last chunk. Messages accepted during the export may be missing.",
  "- At most 5 exports per organization and process at the same time (429)."
].join("\n")

/** One row of an export. */
export const exportExample = {
  id: "01a1fc1d-e1c9-7d52-8a0c-55f3b1b2c3d4",
  type: "message.delivered",
  timestamp: "2026-11-20T09:30:02.000Z",
  organizationId: "01a1fc1d-cf8f-76d9-be28-52307925009f",
  data: eventExamples["message.delivered"]
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
          JSON.stringify({ id: "01a1fc1d-e1a0-7029-814e-d493ca640e3c" })
        ]
      ])
  },
  "application/x-ndjson": {
    schema: { ...text, description: "One JSON object per line, in the form of the items of `application/json`." },
    example: `${JSON.stringify(exportExample)}\n`
  }
}
