import { domainToUnicode } from "node:url"
import { addressDomain, addressKey } from "@switchboard/domain/email/EmailAddress"
import { isPhoneErasure } from "@switchboard/services/erasure/ErasureRepo"
import type { SearchedTable } from "./SearchedTables.js"

/** Replaces an erased address. The domain `.invalid` cannot exist (RFC 2606). */
const placeholderOf = (address: string) => (isPhoneErasure({ address }) ? "erased" : "erased@erased.invalid")

/**
 * A regular expression for a phone number with a plus sign or `00`, or without as a complete text in JSON: a number
 * there must stay one.
 */
const mentionOfPhone = (digits: string) =>
  String.raw`(?:(?:\+|%2B|&#43;|(?<![0-9])00)${digits}(?![0-9])|(?<=")${digits}(?=\\?"))`

/** Escapes a text for a regular expression; special characters also match in percent-encoding. */
const literally = (text: string) =>
  text.replace(
    /[^A-Za-z0-9\u0080-\uffff]/g,
    (sign) => `(?:\\${sign}|%${sign.charCodeAt(0).toString(16).padStart(2, "0")})`
  )

/**
 * A PostgreSQL regular expression for an e-mail address in text, JSON and links, with its domain as A-labels or U-labels. It
 * does not match a part of a longer address. An escape of JSON or a percent-encoded character may precede it.
 */
export const mentionOf = (address: string): string => {
  if (isPhoneErasure({ address })) return mentionOfPhone(address.slice(1))
  const local = address.slice(0, address.lastIndexOf("@"))
  const domain = addressDomain(address)
  const domains = [...new Set([domain, domainToUnicode(domain)])].map(literally).join("|")
  const before = String.raw`(?:(?<![A-Za-z0-9._+-])|(?<=\\[bfnrt])|(?<=\\u[0-9A-Fa-f]{4})|(?<=%[0-9A-Fa-f]{2}))`
  const after = String.raw`(?![A-Za-z0-9-]|\.[A-Za-z0-9])`
  return `${before}${literally(local)}(?:@|%40|&#64;)(?:${domains})${after}`
}

/**
 * Parts of every mention of an address, in lower case: the longest run of ASCII letters and digits of its local part and
 * of its domain, or empty; the digits of a phone number. A search for them costs a fraction of the regular expression's.
 */
const partsOfMention = (address: string): readonly [string, string] => {
  if (isPhoneErasure({ address })) return [address.slice(1), address.slice(1)]
  const maxRunOf = (runs: ReadonlyArray<string>) =>
    runs.reduce((max, run) => (run.length > max.length ? run : max), "").toLowerCase()
  const labels = addressDomain(address).split(".")
  const sameInUnicode = labels.filter((label) => !label.startsWith("xn--"))
  return [
    maxRunOf(address.slice(0, address.lastIndexOf("@")).split(/[^A-Za-z0-9]+/)),
    maxRunOf(sameInUnicode.flatMap((label) => label.split("-")))
  ]
}

/** The parameters `$1` to `$5` of the conditions. */
export const mentionParameters = (address: string): ReadonlyArray<string> => [
  mentionOf(address),
  ...partsOfMention(address),
  addressKey(address),
  placeholderOf(address)
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
