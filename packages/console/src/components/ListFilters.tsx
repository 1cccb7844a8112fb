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

/** The search of a list: the query parameter `search` of the URL. */
export const SearchFilter = ({ label, placeholder }: { readonly label: string; readonly placeholder: string }) => (
  <div class="search alone">
    <Icon name="search" />
    <input
      type="search"
      aria-label={label}
      placeholder={placeholder}
      value={place.value.query.get("search") ?? ""}
      onInput={(event) => changeQuery({ search: event.currentTarget.value })}
    />
  </div>
)

/** The text of a filter in the URL; undefined if there is none. */
export const filterText = (name: string): string | undefined => place.value.query.get(name)?.trim() || undefined

/** The choice of a filter in the URL; undefined for other values. */
export const filterChoice = <Value extends string>(name: string, values: ReadonlyArray<Value>): Value | undefined =>
  values.find((value) => value === place.value.query.get(name))
