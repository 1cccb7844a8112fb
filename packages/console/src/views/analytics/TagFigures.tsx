import { client } from "../../app/Client.js"
import { linkTo, paths } from "../../app/Paths.js"
import { DataTable } from "../../components/DataTable.js"
import { Pending } from "../../components/Pending.js"
import { Status } from "../../components/Status.js"
import { useLoad } from "../../components/UseLoad.js"
import { percent } from "./Percent.js"
import type { Range } from "./Range.js"

const statuses = [
  ...(["scheduled", "pending", "queued", "processing"] as const),
  ...(["sent", "delivered", "read", "complained", "bounced", "failed"] as const)
]

/** The number of messages with a tag that were accepted in the range and have a status now. */
const countOf = async (tag: string, status: (typeof statuses)[number], range: Range, signal: AbortSignal) => {
  const urlParams = {
    ...{ tag, status, limit: 1, startDate: range.startDate },
    // In the list, the end is part of the range.
    endDate: new Date(range.endDate.getTime() - 1)
  }
  const [{ pagination }, { headers }] = await client.messages.list({ urlParams, withResponse: true }, { signal })
  return { status, count: pagination.total, isEstimated: headers["total-estimated"] === "true" }
}

/** The messages with a tag by their present status. Each message has one status, so that the counts add up. */
export const TagFigures = ({ range, tag }: { readonly range: Range; readonly tag: string }) => {
  const { error, reload, value } = useLoad(
    (signal) => Promise.all(statuses.map((status) => countOf(tag, status, range, signal))),
    [range, tag]
  )
  const total = (value ?? []).reduce((sum, { count }) => sum + count, 0)
  return (
    <section class="card padded" aria-label={`Tag ${tag}`}>
      <h2>
        Tag <span class="tag">{tag}</span>
      </h2>
      {value === undefined ? (
        <Pending error={error} reload={reload} />
      ) : total === 0 ? (
        <p class="hint">No message with this tag was accepted in this range.</p>
      ) : (
        <>
          <p class="hint">
            Messages with this tag that were accepted in this range, by their present status. Shares are of all of them.
          </p>
          <DataTable
            caption={`Messages with the tag ${tag}`}
            columns={["Status", "Messages", "Share"]}
            rows={[
              ...value
                .filter(({ count }) => count > 0)
                .map(({ count, isEstimated, status }) => [
                  <a key={status} href={linkTo(paths.messages, {}, { tag, status })}>
                    <Status value={status} />
                  </a>,
                  `${isEstimated ? "about " : ""}${count.toLocaleString("en")}`,
                  percent(count / total)
                ]),
              ["All", total.toLocaleString("en"), "100 %"]
            ]}
          />
        </>
      )}
    </section>
  )
}
