import { changeQuery, place } from "../../app/Location.js"
import { can } from "../../app/SessionState.js"
import { rangeName, rangeWords } from "./Range.js"

const DateInput = ({ label, name }: { readonly label: string; readonly name: "from" | "to" }) => (
  <label class="date-input">
    <span>{label}</span>
    <input
      type="date"
      value={place.value.query.get(name) ?? ""}
      onChange={(event) => changeQuery({ [name]: event.currentTarget.value, range: undefined })}
    />
  </label>
)

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
      <DateInput label="From" name="from" />
      <DateInput label="To" name="to" />
      <select
        aria-label="Periods"
        value={query.get("by") === "hour" ? "hour" : ""}
        onChange={(event) => changeQuery({ by: event.currentTarget.value })}
      >
        <option value="">By day</option>
        <option value="hour">By hour</option>
      </select>
      {can("messages.read") && (
        <input
          class="tag-filter"
          type="search"
          aria-label="Tag"
          placeholder="Tag"
          value={query.get("tag") ?? ""}
          onChange={(event) => changeQuery({ tag: event.currentTarget.value })}
        />
      )}
    </search>
  )
}
