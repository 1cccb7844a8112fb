import { serviceUrl } from "../../app/Client.js"
import type { Range } from "./Range.js"

const exports = [
  ["messages", "csv", "Messages as CSV"],
  ["messages", "json", "Messages as JSON"],
  ["events", "csv", "Events as CSV"],
  ["events", "json", "Events as JSON"]
] as const

/** Links to download the range. The browser stores the response while it arrives: an export can be large. */
export const ExportLinks = ({ range: { endDate, startDate } }: { readonly range: Range }) => (
  <section class="card padded" aria-label="Export">
    <h2>Export</h2>
    <div class="export-links">
      {exports.map(([type, format, label]) => {
        const query = new URLSearchParams({
          type,
          format,
          startDate: startDate.toISOString(),
          endDate: endDate.toISOString()
        })
        return (
          <a
            key={label}
            class="button"
            href={`${serviceUrl}/v1/analytics/export?${query}`}
            download={`${type}.${format}`}
          >
            {label}
          </a>
        )
      })}
    </div>
  </section>
)
