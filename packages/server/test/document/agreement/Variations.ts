import { Predicate } from "effect"
import type { jsonSchemaProblems } from "../JsonSchemaProblems.js"
import { type JsonSchema, type OpenApiDocument, resolve } from "../OpenApiDocument.js"

/** Values of other types, or empty. */
const others: ReadonlyArray<unknown> = [null, true, 0, -1.5, "", " ", "x", [], {}, [null], { noSuchField: 1 }]

/** The maximum length of a text that is sent. */
const maxSent = 300_000

const texts = ({ enum: choices, maxLength, minLength }: JsonSchema, value: string): ReadonlyArray<unknown> => {
  const filled = (length: number) => value.slice(0, 1).padEnd(1, "a").repeat(length)
  const limits = [minLength, maxLength].flatMap((limit) => (limit === undefined || limit > maxSent ? [] : [limit]))
  return [
    ...limits
      .flatMap((limit) => [limit - 1, limit, limit + 1])
      .flatMap((length) => (length < 0 ? [] : [filled(length)])),
    ...(maxLength === undefined || maxLength > maxSent ? [] : ["😀".repeat(maxLength), "😀".repeat(maxLength + 1)]),
    ...(choices === undefined ? [] : [...choices, value.toUpperCase()]),
    ...[
      `${value}\n`,
      `${value}\r\nX: y`,
      `${value}\0`,
      ` ${value}`,
      `${value}<">`,
      `${value}é`,
      `../${value}`,
      "\u202e"
    ]
  ]
}

const numbers = ({ maximum, minimum }: JsonSchema, value: number): ReadonlyArray<unknown> => [
  ...[minimum, maximum].flatMap((limit) => (limit === undefined ? [] : [limit - 1, limit - 0.5, limit, limit + 1])),
  ...[value + 0.5, 1e300, -1e300, String(value)]
]

const lists = ({ maxItems, minItems }: JsonSchema, value: ReadonlyArray<unknown>): ReadonlyArray<unknown> => {
  const [first = "x"] = value
  const repeated = (length: number) => Array.from({ length }, () => first)
  const numbered = (length: number) =>
    Array.from({ length }, (_, index) => (Predicate.isString(first) ? `${first}${index}` : first))
  const limits = [minItems, maxItems].flatMap((limit) => (limit === undefined ? [] : [limit - 1, limit, limit + 1]))
  return [
    ...limits.flatMap((length) => (length < 0 ? [] : [repeated(length), numbered(length)])),
    [...value, first],
    Object.fromEntries(value.entries())
  ]
}

const objects = ({ properties = {} }: JsonSchema, value: Readonly<Record<string, unknown>>): ReadonlyArray<unknown> => [
  ...Object.keys(value).map((gone) => Object.fromEntries(Object.entries(value).filter(([name]) => name !== gone))),
  ...Object.keys(properties).map((name) => ({ ...value, [name]: null })),
  { ...value, noSuchField: 1 },
  { ...value, "a\0": 1 },
  JSON.parse(JSON.stringify({ ...value, zz: 1 }).replace(/"zz":1}$/, '"__proto__":1}')),
  [value]
]

/**
 * Changes of a value at all its places: left out, of another type, and at, below and above each limit of the schema.
 * Some of them match the schema.
 */
export const variations = (document: OpenApiDocument, problems: ReturnType<typeof jsonSchemaProblems>) => {
  /** The schema of a value, without its options. */
  const schemaOf = (schemaOrReference: JsonSchema, value: unknown): JsonSchema => {
    const schema = resolve(document, schemaOrReference)
    const options = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]
    const fitting = options.find((option) => problems(option, value).length === 0)
    return fitting === undefined ? schema : schemaOf(fitting, value)
  }

  const vary = (schemaOrReference: JsonSchema, value: unknown): ReadonlyArray<unknown> => {
    const schema = schemaOf(schemaOrReference, value)
    if (Predicate.isString(value)) return [...others, ...texts(schema, value)]
    if (Predicate.isNumber(value)) return [...others, ...numbers(schema, value)]
    if (Array.isArray(value)) {
      const { items = {} } = schema
      const inner = value
        .slice(0, 2)
        .flatMap((item: unknown, at) => vary(items, item).map((made): unknown => value.toSpliced(at, 1, made)))
      return [...others, ...lists(schema, value), ...inner]
    }
    if (!Predicate.isRecord(value)) return others
    const { additionalProperties, properties = {} } = schema
    const inner = Object.entries(value).flatMap(([name, member]) => {
      const described = properties[name] ?? (Predicate.isRecord(additionalProperties) ? additionalProperties : {})
      return vary(described, member).map((made) => ({ ...value, [name]: made }))
    })
    return [...others, ...objects(schema, value), ...inner]
  }

  return vary
}
