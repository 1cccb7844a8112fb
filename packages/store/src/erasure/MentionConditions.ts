import { addressKey, type EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { mentionOf, partsOfMention, placeholder } from "./Mentions.js"
import type { SearchedTable } from "./SearchedTables.js"

/** The parameters `$1` to `$5` of the conditions. */
export const mentionParameters = (address: EmailAddress): ReadonlyArray<string> => [
  mentionOf(address),
  ...partsOfMention(address),
  addressKey(address),
  placeholder
]

/** The number of parameters that `mentionParameters` returns. */
export const mentionParameterCount = 5

const usesParameters = "$4::text IS NOT NULL AND $5::text IS NOT NULL"

/**
 * SQL: a text mentions the address. The collation makes the comparison with the parts fast: they are ASCII. An
 * idempotency key is named by a longer address too.
 */
const isNamed = (text: string, isKey: boolean) => {
  const lower = `lower(${text} COLLATE "C")`
  const isMention = `${text} ~* $1${isKey ? ` OR strpos(${lower}, $4) > 0` : ""}`
  return `(strpos(${lower}, $2) > 0 AND strpos(${lower}, $3) > 0 AND (${isMention}))`
}

const textOf = ({ name, type }: SearchedTable["columns"][number]) =>
  type === "bytea" ? `encode(${name}, 'escape')` : `${name}::text`

/** SQL: a row mentions the address. */
export const mentionCondition = ({ columns, name: table }: SearchedTable): string => {
  const isKey = table === "message_claims"
  return `(${columns.map((column) => isNamed(textOf(column), isKey)).join(" OR ")}) AND ${usesParameters}`
}

/** SQL expressions that replace the address, by type of the column. */
const replacement: Readonly<Record<string, (column: string) => string>> = {
  text: (column) => `regexp_replace(${column}, $1, $5, 'gi')`,
  varchar: (column) => `regexp_replace(${column}, $1, $5, 'gi')`,
  json: (column) => `regexp_replace(${column}::text, $1, $5, 'gi')::json`,
  jsonb: (column) => `regexp_replace(${column}::text, $1, $5, 'gi')::jsonb`,
  _text: (
    column
  ) => `ARRAY(SELECT regexp_replace(one, $1, $5, 'gi') FROM unnest(${column}) WITH ORDINALITY AS o(one, place)
    ORDER BY place)`
}

/** SQL: replaces the address in the rows with keys `$6`, a JSON array, if they mention it. */
export const replaceStatement = (table: SearchedTable): string => {
  const texts: SearchedTable = { ...table, columns: table.columns.filter(({ type }) => type in replacement) }
  const changes = texts.columns.map((column) => {
    const replaced = replacement[column.type]?.(column.name) ?? column.name
    return `${column.name} = CASE WHEN ${isNamed(textOf(column), false)} THEN ${replaced} ELSE ${column.name} END`
  })
  return `UPDATE ${table.source} AS t SET ${changes.join(", ")}
    WHERE ${hasKey(table, "$6")} AND ${mentionCondition(texts)} RETURNING 1`
}

/** SQL: the row's key is in a JSON array of arrays of texts. */
export const hasKey = ({ key }: SearchedTable, parameter: string): string => {
  const values = key.map(({ type }, place) => `(one ->> ${place})::${type}`).join(", ")
  return `(${key.map(({ name }) => name).join(", ")}) IN (SELECT ${values} FROM json_array_elements(${parameter}::json) AS one)`
}
