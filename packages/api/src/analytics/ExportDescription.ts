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
