import { useMemo, useState } from "preact/hooks"
import { place } from "../../app/Location.js"
import { can } from "../../app/SessionState.js"
import { curlCommand } from "../../components/CurlCommand.js"
import { EmptyState } from "../../components/EmptyState.js"
import { ErrorNotice } from "../../components/ErrorNotice.js"
import { Icon } from "../../components/Icon.js"
import { filterText } from "../../components/ListFilters.js"
import { useDebounced } from "../../components/UseDebounced.js"
import { useLoad } from "../../components/UseLoad.js"
import { ViewHeader } from "../../components/ViewHeader.js"
import { Charts } from "./Charts.js"
import { ExportLinks } from "./ExportLinks.js"
import { Figures, isEmpty } from "./Figures.js"
import { loadAnalytics } from "./LoadAnalytics.js"
import { rangeOf } from "./Range.js"
import { RangeFilter } from "./RangeFilter.js"
import { TagFigures } from "./TagFigures.js"

const command = curlCommand("/messages", {
  channel: "email",
  to: [{ email: "ada@example.com" }],
  email: { subject: "Hello", text: "It works." }
})

/** The figures of a range: charts with their tables, and exports. The range is a part of the URL. */
const AnalyticsView = () => {
  const [round, setRound] = useState(0)
  const { query } = place.value
  const tag = useDebounced(filterText("tag") ?? "")
  const range = useMemo(() => rangeOf(query, Date.now()), [query.toString(), round])
  const { error, value } = useLoad((signal) => loadAnalytics(range, signal), [range])
  const refresh = () => setRound(round + 1)
  return (
    <>
      <ViewHeader title="Analytics">
        <button type="button" class="button" onClick={refresh}>
          <Icon name="refresh" />
          Refresh
        </button>
      </ViewHeader>
      <RangeFilter />
      <div class="analytics">
        {error !== undefined && <ErrorNotice error={error} retry={refresh} />}
        {value === undefined && error === undefined && <p class="starting" role="status" aria-label="Loading" />}
        {value !== undefined &&
          (value.channels.every(isEmpty) ? (
            <EmptyState
              title="No messages in this range"
              text="Choose another range, or send a message:"
              command={command}
            />
          ) : (
            <>
              {tag !== "" && can("messages.read") && <TagFigures range={range} tag={tag} />}
              <Figures channels={value.channels} stats={value.stats} />
              <Charts value={value} />
              <ExportLinks range={range} />
            </>
          ))}
      </div>
    </>
  )
}

export default AnalyticsView
