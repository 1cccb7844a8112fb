import { Predicate } from "effect"
import { type JsonSchema, type OpenApiDocument, resolve } from "./OpenApiDocument.js"

const formats: Readonly<Record<string, RegExp>> = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  email: /^[^@\s]+@[^@\s]+$/,
  uri: /^https?:\/\/\S+$/,
  int32: /^-?\d+$/
}

const types: Readonly<Record<string, Predicate.Predicate<unknown>>> = {
  string: Predicate.isString,
  number: Predicate.isNumber,
  integer: Number.isInteger,
  boolean: Predicate.isBoolean,
  null: Predicate.isNull,
  array: Array.isArray,
  object: Predicate.isRecord
}

const isOutside = (size: number, least: number | undefined, most: number | undefined) =>
  size < (least ?? -Infinity) || size > (most ?? Infinity)

const stringProblem = (schema: JsonSchema, value: string): string | undefined => {
  if (isOutside([...value].length, schema.minLength, schema.maxLength)) return "has another length"
  if (schema.pattern !== undefined && !new RegExp(schema.pattern, "u").test(value)) return "does not fit the pattern"
  if (schema.format === undefined) return undefined
  const format = formats[schema.format]
  if (format === undefined) return `has the format ${schema.format}: say in JsonSchemaProblems.ts what that is`
  return format.test(value) ? undefined : `is no ${schema.format}`
}

/** What is wrong with a value itself, apart from what it contains. */
const ownProblem = (schema: JsonSchema, value: unknown): string | undefined => {
  if (schema.type !== undefined && types[schema.type]?.(value) !== true) return `is not of type ${schema.type}`
  if (schema.enum !== undefined && !schema.enum.includes(value)) return `is none of ${schema.enum.join(", ")}`
  if (Predicate.isString(value)) return stringProblem(schema, value)
  if (Predicate.isNumber(value) && isOutside(value, schema.minimum, schema.maximum)) return "is out of range"
  if (Array.isArray(value) && isOutside(value.length, schema.minItems, schema.maxItems)) return "has another length"
  if (Array.isArray(value) && schema.uniqueItems === true && new Set(value).size < value.length) return "repeats itself"
  return undefined
}

/**
 * Where a value is not what its schema says, in sentences. An object whose schema does not say that it is open is
 * closed: what is not described must not be told.
 */
export const jsonSchemaProblems = (document: OpenApiDocument) => {
  const membersOf = (schema: JsonSchema, value: object, at: string): ReadonlyArray<string> => {
    const { additionalProperties: more = false, properties = {}, required = [] } = schema
    return [
      ...required.filter((name) => !Object.hasOwn(value, name)).map((name) => `${at}.${name} is missing`),
      ...Object.entries(value).flatMap(([name, member]) => {
        const described = Object.hasOwn(properties, name) ? properties[name] : more
        if (described === undefined || described === false) return [`${at}.${name} is not described`]
        return described === true ? [] : problems(described, member, `${at}.${name}`)
      })
    ]
  }

  const problems = (given: JsonSchema, value: unknown, at = "the answer"): ReadonlyArray<string> => {
    const schema = resolve(document, given)
    const own = ownProblem(schema, value)
    if (own !== undefined) return [`${at} ${own}: ${JSON.stringify(value)}`]
    const { anyOf, items } = schema
    const ways = (anyOf ?? []).map((way) => problems(way, value, at))
    return [
      ...(ways.length === 0 || ways.some((way) => way.length === 0)
        ? []
        : [`${at} is none of what it may be: ${ways.flat().join("; ")}`]),
      ...(items !== undefined && Array.isArray(value)
        ? value.flatMap((item, index) => problems(items, item, `${at}.${index}`))
        : []),
      ...(schema.type === "object" && Predicate.isRecord(value) ? membersOf(schema, value, at) : [])
    ]
  }

  return problems
}
