import { changeQuery, place } from "../../app/Location.js"
import { can } from "../../app/SessionState.js"
import { DateFilter, TagFilter } from "../../components/ListFilters.js"
import { rangeName, rangeWords } from "./Range.js"

/** The range of the analytics: a part of the URL. */
export const RangeFilter = () => {
  const { query } = place.value
  return (
    <search class="filters range">
      <select
        aria-label="Range"
        value={rangeName(query) ?? ""}
        onChange={(event) => changeQuery({ range: event.currentTarget.value, from: undefined, to: undefined })}
      >
        {rangeName(query) === undefined && <option value="">Dates</option>}
        {Object.entries(rangeWords).map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
      <select
        aria-label="Periods"
        value={query.get("by") === "hour" ? "hour" : ""}
        onChange={(event) => changeQuery({ by: event.currentTarget.value })}
      >
        <option value="">By day</option>
        <option value="hour">By hour</option>
      </select>
      <DateFilter label="From" name="from" replaces="range" />
      <DateFilter label="To" name="to" replaces="range" />
      {can("messages.read") && <TagFilter />}
    </search>
  )
}
