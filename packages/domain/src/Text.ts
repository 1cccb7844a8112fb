import { Schema } from "effect"

/** Matches the first characters of a formula, also after white space and in full-width form. */
const formula = "(?:[\\t\\r\\n]|\\s*[=+\\-@＝＋－＠])"
const runnable = new RegExp(`^'*${formula}`)
const escaped = new RegExp(`^'+${formula}`)

/** Adds an apostrophe to a cell of CSV that a spreadsheet would run as a formula, which makes it text. */
export const escapeFormula = (cell: string): string => (runnable.test(cell) ? `'${cell}` : cell)

/** Removes the apostrophe of an escaped cell. */
export const unescapeFormula = (cell: string): string => (escaped.test(cell) ? cell.slice(1) : cell)

/** Whether a text has `min` to `max` code points. A code point has one or two code units. */
const hasLength = (value: string, min: number, max: number): boolean => {
  if (value.length < min || value.length > 2 * max) return false
  if (min <= 1 && value.length <= max) return true
  const { length } = [...value]
  return length >= min && length <= max
}

/** A text of `min` to `max` characters: Unicode code points, which JSON Schema counts. */
export const text = (min: number, max: number) =>
  Schema.String.pipe(
    Schema.filter(
      (value) =>
        hasLength(value, min, max) ||
        (min === 0 ? `must have at most ${max} characters` : `must have ${min} to ${max} characters`),
      { jsonSchema: min === 0 ? { maxLength: max } : { minLength: min, maxLength: max } }
    )
  )

/** A text that is not empty. Its maximum length is that of the request body. */
export const filledText = Schema.String.pipe(
  Schema.filter((value) => value !== "" || "must not be empty", { jsonSchema: { minLength: 1 } })
)

/** Requires a form. `form` needs no flag other than `u`: the document has only its source. */
export const matching =
  (form: RegExp, sentence: string) =>
  <A extends string, I, R>(self: Schema.Schema<A, I, R>) =>
    self.pipe(Schema.filter((value) => form.test(value) || sentence, { jsonSchema: { pattern: form.source } }))

/** A text of `min` to `max` characters without line breaks, which would inject a header. */
export const line = (min: number, max: number) =>
  text(min, max).pipe(matching(/^[^\r\n]*$/, "must not contain line breaks"))

/** A text of 1 to `max` characters without line breaks, of which one is not a space. */
export const visibleLine = (max: number) =>
  text(1, max).pipe(matching(/^[^\r\n]*\S[^\r\n]*$/, "must be one line, and not only spaces"))
