/**
 * SQL that writes JSON as text without spaces, as `JSON.stringify` does. Unlike `row_to_json`, it looks up no type at
 * run time, which halves the cost of an object with many fields.
 */

/** A JSON value: SQL that is not NULL, between constant texts. */
interface JsonValue {
  readonly before?: string
  /** Without it, the value is `before`. */
  readonly sql?: string
  readonly after?: string
}

const orNull = (text: string): JsonValue => ({ sql: `COALESCE(${text}, 'null')` })

/** A value that needs no escaping: an id, a number, or one of a fixed set. */
export const plainText = (column: string): JsonValue => ({ before: '"', sql: column, after: '"' })

/** The same, or null. */
export const plainTextOrNull = (column: string) => orNull(`'"' || ${column} || '"'`)

/** Any text. */
export const escapedText = (column: string): JsonValue => ({ sql: `to_json(${column})` })

/** Any text, or null. */
export const escapedTextOrNull = (column: string) => orNull(`to_json(${column})::text`)

/** A number, a boolean, or SQL that is JSON already. */
export const json = (sql: string): JsonValue => ({ sql })

/** A column of type `json`, or null. */
export const jsonOrNull = (column: string) => orNull(`${column}::text`)

/** An array of ids or texts. */
export const array = (column: string): JsonValue => ({ sql: `array_to_json(${column})` })

const utc = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** A finite time in UTC with milliseconds. */
export const time = (column: string): JsonValue => ({ before: '"', sql: utc(column), after: '"' })

/** The same, or null. */
export const timeOrNull = (column: string) => orNull(`'"' || ${utc(column)} || '"'`)

export const nothing: JsonValue = { before: "null" }

/**
 * Concatenates texts in pairs of about equal length: a chain would copy its beginning for each text. `concat` would
 * convert each argument to a C string, and measure its length octet by octet.
 */
const joined = (texts: ReadonlyArray<string>): string => {
  if (texts.length < 2) return texts.join("")
  const middle = texts.length >> 1
  return `(${joined(texts.slice(0, middle))} || ${joined(texts.slice(middle))})`
}

/** An object, from its fields in order. */
export const objectText = (fields: Readonly<Record<string, JsonValue>>): string => {
  const texts: Array<string> = []
  let constant = ""
  for (const [name, { after = "", before = "", sql }] of Object.entries(fields)) {
    constant += `${texts.length === 0 && constant === "" ? "{" : ","}"${name}":${before}`
    if (sql !== undefined) {
      texts.push(`'${constant}'`, `(${sql})::text`)
      constant = ""
    }
    constant += after
  }
  return joined([...texts, `'${constant}}'`])
}
