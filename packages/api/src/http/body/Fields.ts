import { isStorable } from "./Storable.js"

/** What is wrong in a body: dotted paths with sentences. */
export type Fields = Record<string, Array<string>>

/** Nothing wrong yet. Without a prototype: callers name fields as they like, `constructor` too. */
export const noFields = (): Fields => Object.create(null)

/** A name that could not be stored is not repeated either. */
const shown = (name: PropertyKey): string => (isStorable(String(name)) ? String(name) : "?")

/** Says one thing more about a field, once. */
export const addField = (fields: Fields, path: ReadonlyArray<PropertyKey>, sentence: string): void => {
  const key = path.map(shown).join(".")
  const known = fields[key]
  if (known === undefined) fields[key] = [sentence]
  else if (!known.includes(sentence)) known.push(sentence)
}

/** All that is wrong by either. */
export const joinFields = (left: Fields, right: Fields): Fields => {
  const all = noFields()
  for (const [key, sentences] of [...Object.entries(left), ...Object.entries(right)]) {
    for (const sentence of sentences) addField(all, [key], sentence)
  }
  return all
}
