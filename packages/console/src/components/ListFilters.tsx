import { changeQuery, place } from "../app/Location.js"
import { Icon } from "./Icon.js"

interface ChoiceFilterProps {
  /** The query parameter of the URL. */
  readonly name: string
  readonly label: string
  readonly values: ReadonlyArray<string>
}

/** A filter of a list by one of several values. It is a part of the URL. */
export const ChoiceFilter = ({ label, name, values }: ChoiceFilterProps) => (
  <select
    aria-label={label}
    value={place.value.query.get(name) ?? ""}
    onChange={(event) => changeQuery({ [name]: event.currentTarget.value })}
  >
    <option value="">{label}: all</option>
    {values.map((value) => (
      <option key={value} value={value}>
        {value.replaceAll("_", " ")}
      </option>
    ))}
  </select>
)

/** The search of a list: the query parameter `search` of the URL. The key `/` moves the focus to it. */
export const SearchFilter = ({ label, placeholder }: { readonly label: string; readonly placeholder: string }) => (
  <div class="search">
    <Icon name="search" />
    <input
      type="search"
      aria-label={label}
      aria-keyshortcuts="/"
      placeholder={placeholder}
      value={place.value.query.get("search") ?? ""}
      onInput={(event) => changeQuery({ search: event.currentTarget.value })}
    />
  </div>
)

/** A filter of a list by a tag. It is a part of the URL. */
export const TagFilter = () => (
  <input
    class="tag-filter"
    type="search"
    aria-label="Tag"
    placeholder="Tag"
    value={place.value.query.get("tag") ?? ""}
    onInput={(event) => changeQuery({ tag: event.currentTarget.value })}
  />
)

interface DateFilterProps {
  readonly label: string
  readonly name: "from" | "to"
  /** A parameter that the date replaces. */
  readonly replaces?: string
}

/** A filter by a day in the zone of the browser. It is a part of the URL. */
export const DateFilter = ({ label, name, replaces = name }: DateFilterProps) => (
  <label class="date-input">
    <span>{label}</span>
    <input
      type="date"
      value={place.value.query.get(name) ?? ""}
      onChange={(event) => changeQuery({ [replaces]: undefined, [name]: event.currentTarget.value })}
    />
  </label>
)

/** The text of a filter in the URL; undefined if there is none. */
export const filterText = (name: string): string | undefined => place.value.query.get(name)?.trim() || undefined

/** The choice of a filter in the URL; undefined for other values. */
export const filterChoice = <Value extends string>(name: string, values: ReadonlyArray<Value>): Value | undefined =>
  values.find((value) => value === place.value.query.get(name))
