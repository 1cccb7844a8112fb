import { useState } from "preact/hooks"
import { changeQuery, place } from "../../app/Location.js"

/** A text that filters by one of several query parameters. */
export const useFilterText = (fields: ReadonlyArray<string>) => {
  const { query } = place.value
  const given = fields.find((name) => query.has(name))
  const [chosen, setChosen] = useState(fields[0] ?? "")
  const field = given ?? chosen
  const text = query.get(field) ?? ""
  const set = (name: string, value: string) => {
    const others = fields.map((other) => [other, undefined] as const)
    changeQuery({ ...Object.fromEntries(others), [name]: value })
  }
  return {
    field,
    text,
    setField: (name: string) => {
      setChosen(name)
      set(name, text)
    },
    setText: (value: string) => {
      setChosen(field)
      set(field, value)
    }
  }
}
