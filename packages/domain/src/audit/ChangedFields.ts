import { Predicate } from "effect"
import type { AuditChange, AuditChanges } from "./AuditEntry.js"

/** The fields of a resource, as the API responds with them. */
export type AuditedFields = Readonly<Record<string, unknown>>

/** The maximum size of the changes of an entry as JSON, in bytes. */
export const maxChangesSize = 32 * 1024

/** The maximum number of characters of a text in changes that are too large: the first one that is small enough counts. */
const textLimits = [4_096, 512, 64]

const masked = "…"

/** Names of fields whose texts are not stored. */
const secretName = /secret|password|token$/i

const encoder = new TextEncoder()

const sizeOf = (changes: AuditChanges): number => encoder.encode(JSON.stringify(changes)).byteLength

const mapValues = (fields: AuditedFields, map: (value: unknown, name: string) => unknown): AuditedFields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, map(value, name)]))

const parseObject = (text: string): AuditedFields | undefined => {
  if (!text.startsWith("{")) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return Predicate.isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * A value without the values of headers, which may hold credentials, and without fields with a secret's name. Also in
 * texts that are JSON objects.
 */
const withoutSecrets = (value: unknown, name = ""): unknown => {
  if (Array.isArray(value)) return value.map((one) => withoutSecrets(one, name))
  if (Predicate.isRecord(value)) {
    return name === "headers" ? mapValues(value, () => masked) : mapValues(value, withoutSecrets)
  }
  if (!Predicate.isString(value)) return value
  if (secretName.test(name)) return masked
  const object = parseObject(value)
  return object === undefined ? value : JSON.stringify(withoutSecrets(object))
}

const cutTexts = (value: unknown, limit: number): unknown => {
  if (Array.isArray(value)) return value.map((one) => cutTexts(one, limit))
  if (Predicate.isRecord(value)) return mapValues(value, (one) => cutTexts(one, limit))
  if (!Predicate.isString(value) || value.length <= limit) return value
  // A pair of code units is not separated.
  const start = value.slice(0, limit).replace(/[\uD800-\uDBFF]$/, "")
  return `${start}${masked} (${value.length} characters)`
}

const mapChanges = (changes: AuditChanges, map: (value: unknown, name: string) => unknown): AuditChanges =>
  Object.fromEntries(
    Object.entries(changes).map(([field, change]): [string, AuditChange] => [
      field,
      mapValues(change, (value) => map(value, field))
    ])
  )

/** Cuts long texts until the changes are small enough. If they cannot be, only the names of the fields stay. */
const bounded = (changes: AuditChanges): AuditChanges => {
  if (sizeOf(changes) <= maxChangesSize) return changes
  for (const limit of textLimits) {
    const cut = mapChanges(changes, (value) => cutTexts(value, limit))
    if (sizeOf(cut) <= maxChangesSize) return cut
  }
  return mapChanges(changes, () => masked)
}

const isSame = (before: unknown, after: unknown): boolean => JSON.stringify(before) === JSON.stringify(after)

/**
 * The fields that differ, without secrets and with at most `maxChangesSize` bytes. `before` null: the resource was
 * created; `after` null: it was removed.
 */
export const changedFields = (before: AuditedFields | null, after: AuditedFields | null): AuditChanges => {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  const changes = [...names].flatMap((name): ReadonlyArray<readonly [string, AuditChange]> => {
    const [old, now] = [before?.[name], after?.[name]]
    if (isSame(old, now)) return []
    return [[name, { ...(old === undefined ? {} : { before: old }), ...(now === undefined ? {} : { after: now }) }]]
  })
  return bounded(mapChanges(Object.fromEntries(changes), withoutSecrets))
}
