import { eventExamples } from "@switchboard/domain/events/EventExamples"
import { csvHeader, csvRows } from "../csv/Csv.js"
import { eventColumns, messageColumns } from "./ExportColumns.js"

/** What callers are told of exports. */
export const exportDescription = [
  "A file with all messages that were accepted in a range, or with all events of it, oldest first, in the order of their ids; it comes as it is read, however large it is.",
  "`type` is `messages` (default) or `events`, `format` is `json` (default: one array), `ndjson` (an object a line) or `csv` (RFC 4180, with a line of names).",
  "A message is told as its GET tells it, without `html` and `text`; an event as webhooks post it, and not at all if the record of its message was deleted.",
  `In CSV a message has the columns ${messageColumns.map((name) => `\`${name}\``).join(", ")}, lists with commas; an event has ${eventColumns.map((name) => `\`${name}\``).join(", ")}, of which \`data\` is JSON. New columns come after these. A cell that a spreadsheet would run as a formula has an apostrophe before it.`,
  "An answer that breaks off was not finished: its connection then ends without the end of the answer. What is accepted during the export may be missing.",
  "From `startDate` on (default: 30 days before the end) and before `endDate` (default: now), at most 366 days. At most 5 exports an organization at a time on one process (429)."
].join(" ")

/** One row of an export. */
export const exportExample = {
  id: "01a1fc1d-e1c9-7d52-8a0c-55f3b1b2c3d4",
  type: "message.delivered",
  timestamp: "2026-11-20T09:30:02.000Z",
  organizationId: "01a1fc1d-cf8f-76d9-be28-52307925009f",
  data: eventExamples["message.delivered"]
}

const text = { type: "string" }

/** What exports are beside JSON, by the type of the content. */
export const exportContents = {
  "text/csv": {
    schema: { ...text, description: "a line of names, then a line a row" },
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
    schema: { ...text, description: "a JSON object a line, of the form of the items of `application/json`" },
    example: `${JSON.stringify(exportExample)}\n`
  }
}
