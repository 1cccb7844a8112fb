import { FastCheck, Predicate } from "effect"
import { type JsonSchema, type OpenApiDocument, resolve } from "../OpenApiDocument.js"

type Arbitrary = FastCheck.Arbitrary<unknown>

const day = 86_400_000

const dateTime = FastCheck.integer({ min: -400 * day, max: 400 * day }).chain((offset) => {
  const text = new Date(Date.now() + offset).toISOString()
  return FastCheck.constantFrom(text, text.replace(".", "").replace(/\d{3}Z$/, "+05:30"), text.replace(/\.\d+Z/, "Z"))
})

/** URLs of hosts that do not exist: no request leaves this machine. */
const urls = [
  "https://hooks.example.test",
  "http://127.0.0.1:9/x",
  "HTTPS://Hooks.Example.Test:8443/a/b;c?d=e&f=%20#g",
  "https://[::1]/"
]

const byFormat = (format: string | undefined, ids: ReadonlyArray<string>): FastCheck.Arbitrary<string> | undefined => {
  switch (format) {
    case "uuid":
      return FastCheck.oneof(FastCheck.constantFrom(...ids, ids[0]?.toUpperCase() ?? ""), FastCheck.uuid())
    case "date-time":
      return dateTime
    case "date":
      return dateTime.map((text) => text.slice(0, 10))
    case "uri":
      return FastCheck.constantFrom(...urls)
    case "idn-email":
      return FastCheck.constantFrom("ada@example.com", "Grace.Hopper+x@Example.COM", "ada@bücher.example", "a@b.c")
    default:
      return undefined
  }
}

/** Texts of a pattern that have the further patterns too. */
const byPattern = (pattern: string | undefined, others: ReadonlyArray<JsonSchema> = []) =>
  pattern === undefined
    ? undefined
    : FastCheck.stringMatching(new RegExp(pattern, "u"), { size: "small" }).filter((text) =>
        others.every((other) => new RegExp(other.pattern ?? "", "u").test(text))
      )

const text = (schema: JsonSchema, ids: ReadonlyArray<string>): FastCheck.Arbitrary<string> => {
  const {
    allOf,
    contentEncoding,
    contentMediaType,
    examples = [],
    format,
    maxLength = 200,
    minLength = 0,
    pattern
  } = schema
  if (contentEncoding === "base64") return FastCheck.base64String({ maxLength: 40 })
  if (contentMediaType === "application/json") return FastCheck.json({ maxDepth: 2 })
  const given = examples.filter(Predicate.isString)
  const one = byFormat(format, ids) ?? byPattern(pattern, allOf)
  // Variations.ts makes longer texts.
  const longest = Math.min(maxLength, minLength + 1_000)
  const length = FastCheck.constantFrom(minLength, Math.min(maxLength, minLength + 10), longest)
  const any = length.chain((size) =>
    FastCheck.string({ unit: FastCheck.constantFrom("a", "Z", "0", " ", "é", "😀"), minLength: size, maxLength: size })
  )
  const fitting = one ?? (pattern === undefined || given.length === 0 ? any : undefined)
  return FastCheck.oneof(
    ...(given.length === 0 ? [] : [FastCheck.constantFrom(...given)]),
    ...(fitting === undefined ? [] : [fitting])
  )
}

/** How many values are taken, and which. */
export interface Selection {
  readonly count: number
  readonly seed: number
}

/** Random values. */
export const sample = <A>(values: FastCheck.Arbitrary<A>, { count, seed }: Selection): ReadonlyArray<A> =>
  FastCheck.sample(values, { seed, numRuns: count })

/** A random subset, in random order. */
export const subset = <A>(values: ReadonlyArray<A>, { count, seed }: Selection): ReadonlyArray<A> => {
  const size = Math.min(count, values.length)
  return sample(FastCheck.shuffledSubarray([...values], { minLength: size, maxLength: size }), {
    count: 1,
    seed
  }).flat()
}

/** Random values of a schema. Few of them do not match: keywords such as `not` are ignored. `ids` are known ids. */
export const randomValues = (document: OpenApiDocument, ids: ReadonlyArray<string>) => {
  const list = (schema: JsonSchema): Arbitrary => {
    const { items = {}, maxItems = 4, minItems = 0, uniqueItems = false } = schema
    const bounds = { minLength: minItems, maxLength: Math.min(maxItems, minItems + 3) }
    return uniqueItems ? FastCheck.uniqueArray(values(items), bounds) : FastCheck.array(values(items), bounds)
  }

  const object = (schema: JsonSchema): Arbitrary => {
    const { additionalProperties, properties = {}, propertyNames, required = [] } = schema
    const members = Object.entries(properties).map(([name, member]) => [name, values(member)] as const)
    if (members.length > 0) {
      return FastCheck.record(Object.fromEntries(members), { requiredKeys: [...required] })
    }
    const names = byPattern(propertyNames?.pattern) ?? FastCheck.stringMatching(/^[a-z]{1,8}$/)
    return Predicate.isRecord(additionalProperties)
      ? FastCheck.dictionary(names, values(additionalProperties), { maxKeys: 3 })
      : FastCheck.constant({})
  }

  const values = (schemaOrReference: JsonSchema): Arbitrary => {
    const schema = resolve(document, schemaOrReference)
    const options = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]
    if (options.length > 0) return FastCheck.oneof(...options.map(values))
    if (schema.enum !== undefined) return FastCheck.constantFrom(...schema.enum)
    const { maximum = 1e6, minimum = -1e6 } = schema
    switch (schema.type) {
      case "string":
        return text(schema, ids)
      case "integer":
        return FastCheck.integer({ min: minimum, max: maximum })
      case "number":
        return FastCheck.double({ min: minimum, max: maximum, noNaN: true })
      case "boolean":
        return FastCheck.boolean()
      case "null":
        return FastCheck.constant(null)
      case "array":
        return list(schema)
      case "object":
        return object(schema)
      default:
        return FastCheck.jsonValue({ maxDepth: 1 })
    }
  }

  return values
}
