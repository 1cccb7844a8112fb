import { isStorable } from "./Storable.js"

/** Errors of a body: sentences by dotted path. */
export type FieldErrors = Record<string, Array<string>>

/** An empty map of errors, without a prototype: field names of callers can be `constructor`. */
export const noFieldErrors = (): FieldErrors => Object.create(null)

/** The name of a field in a path. A name that cannot be stored is replaced by `?`. */
const shown = (name: PropertyKey): string => (isStorable(String(name)) ? String(name) : "?")

/** Adds a sentence to a field. A repeated sentence is ignored. */
export const addFieldError = (fields: FieldErrors, path: ReadonlyArray<PropertyKey>, sentence: string): void => {
  const key = path.map(shown).join(".")
  const known = fields[key]
  if (known === undefined) fields[key] = [sentence]
  else if (!known.includes(sentence)) known.push(sentence)
}

/** Merges two maps of errors. */
export const joinFieldErrors = (left: FieldErrors, right: FieldErrors): FieldErrors => {
  const all = noFieldErrors()
  for (const [key, sentences] of [...Object.entries(left), ...Object.entries(right)]) {
    for (const sentence of sentences) addFieldError(all, [key], sentence)
  }
  return all
}
