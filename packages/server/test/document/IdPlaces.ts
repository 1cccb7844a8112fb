import { Predicate } from "effect"
import { type DescribedOperation, type JsonSchema, type OpenApiDocument, resolve } from "./OpenApiDocument.js"

/** A place of an id in a request: path, query, header, the `filters` of a list, or a field of the body. */
export interface IdPlace {
  readonly in: "path" | "query" | "header" | "filters" | "body"
  /** The name of the parameter or field. */
  readonly name: string
  /** The path in the body; the first item represents all items of an array. */
  readonly at: ReadonlyArray<string>
}

const step = /^\d+$/

/** Ids are recognized by their format or name; domains and `from` count too. OperationInputs.ts lists the free texts. */
const isId = (schema: JsonSchema, name: string) =>
  schema.format === "uuid" || (schema.type === "string" && /(?:^i|I)ds?$|^(?:domain|from)$/.test(name))

/** The paths of all ids within a schema. */
const idPathsIn = (document: OpenApiDocument) => {
  const look = (
    schemaOrReference: JsonSchema,
    at: ReadonlyArray<string>,
    seen: ReadonlyArray<string>
  ): ReadonlyArray<ReadonlyArray<string>> => {
    const { $ref } = schemaOrReference
    if ($ref !== undefined && seen.includes($ref)) return []
    const visited = $ref === undefined ? seen : [...seen, $ref]
    const schema = resolve(document, schemaOrReference)
    const { anyOf = [], items, oneOf = [], properties = {} } = schema
    if (isId(schema, at.findLast((name) => !step.test(name)) ?? "")) return [at]
    return [
      ...Object.entries(properties).flatMap(([name, member]) => look(member, [...at, name], visited)),
      ...(items === undefined ? [] : look(items, [...at, "0"], visited)),
      ...[...anyOf, ...oneOf].flatMap((option) => look(option, at, visited))
    ]
  }
  // Options of a schema can have a path in common.
  return (schema: JsonSchema) => [...new Map(look(schema, [], []).map((at) => [at.join("."), at])).values()]
}

const named = (place: IdPlace["in"]) => (at: ReadonlyArray<string>) => ({
  in: place,
  name: at.findLast((name) => !step.test(name)) ?? "",
  at
})

/** All places of ids in an operation. */
export const idPlaces = (
  document: OpenApiDocument,
  { parameters, requestBody }: DescribedOperation
): ReadonlyArray<IdPlace> => {
  const idsOf = idPathsIn(document)
  return [
    ...parameters.flatMap(({ in: place, name, schema }) => {
      if (place === "path" || isId(resolve(document, schema), name)) return [{ in: place, name, at: [] }]
      return schema.contentSchema === undefined ? [] : idsOf(schema.contentSchema).map(named("filters"))
    }),
    ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => idsOf(schema).map(named("body")))
  ]
}

/** Returns `value` with `put` at a path; missing parents are created. */
export const putAt = (value: unknown, [first, ...rest]: ReadonlyArray<string>, put: unknown): unknown => {
  if (first === undefined) return put
  if (!step.test(first)) {
    const record = Predicate.isRecord(value) ? value : {}
    return { ...record, [first]: putAt(record[first], rest, put) }
  }
  const items: ReadonlyArray<unknown> = Array.isArray(value) ? value : []
  return [putAt(items[0], rest, put), ...items.slice(1)]
}
