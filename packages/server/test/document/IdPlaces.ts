import { Predicate } from "effect"
import { type DescribedOperation, type JsonSchema, type OpenApiDocument, resolve } from "./OpenApiDocument.js"

/** Where a caller can name something: in the path, the query, a header, a list's `filters`, or a field of the body. */
export interface IdPlace {
  readonly in: "path" | "query" | "header" | "filters" | "body"
  /** What it is called there. */
  readonly name: string
  /** The steps into the body; the first item stands for all of an array. */
  readonly at: ReadonlyArray<string>
}

const step = /^\d+$/

/**
 * Ids say so by their format. What is only called one is taken for one too, and so is a domain and who a mail is from:
 * Fixtures.ts lists those that are free text.
 */
const isId = (schema: JsonSchema, name: string) =>
  schema.format === "uuid" || (schema.type === "string" && /(?:^i|I)ds?$|^(?:domain|from)$/.test(name))

/** The ids that a schema has somewhere within. */
const within = (document: OpenApiDocument) => {
  const look = (
    given: JsonSchema,
    at: ReadonlyArray<string>,
    seen: ReadonlyArray<string>
  ): ReadonlyArray<ReadonlyArray<string>> => {
    const { $ref } = given
    if ($ref !== undefined && seen.includes($ref)) return []
    const known = $ref === undefined ? seen : [...seen, $ref]
    const schema = resolve(document, given)
    const { anyOf = [], items, properties = {} } = schema
    if (isId(schema, at.findLast((name) => !step.test(name)) ?? "")) return [at]
    return [
      ...Object.entries(properties).flatMap(([name, member]) => look(member, [...at, name], known)),
      ...(items === undefined ? [] : look(items, [...at, "0"], known)),
      ...anyOf.flatMap((way) => look(way, at, known))
    ]
  }
  return (schema: JsonSchema) => look(schema, [], [])
}

const named = (place: IdPlace["in"]) => (at: ReadonlyArray<string>) => ({
  in: place,
  name: at.findLast((name) => !step.test(name)) ?? "",
  at
})

/** Every place of an operation where an id can stand. */
export const idPlaces = (
  document: OpenApiDocument,
  { parameters, requestBody }: DescribedOperation
): ReadonlyArray<IdPlace> => {
  const idsOf = within(document)
  return [
    ...parameters.flatMap(({ in: place, name, schema }) => {
      if (place === "path" || isId(resolve(document, schema), name)) return [{ in: place, name, at: [] }]
      return schema.contentSchema === undefined ? [] : idsOf(schema.contentSchema).map(named("filters"))
    }),
    ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => idsOf(schema).map(named("body")))
  ]
}

/** The value with another one in a place of it; what is on the way there is made. */
export const putAt = (value: unknown, [first, ...rest]: ReadonlyArray<string>, put: unknown): unknown => {
  if (first === undefined) return put
  if (!step.test(first)) {
    const record = Predicate.isRecord(value) ? value : {}
    return { ...record, [first]: putAt(record[first], rest, put) }
  }
  const items: ReadonlyArray<unknown> = Array.isArray(value) ? value : []
  return [putAt(items[0], rest, put), ...items.slice(1)]
}
