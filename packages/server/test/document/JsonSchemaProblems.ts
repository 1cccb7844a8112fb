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
 * Where a value is not what its schema says, in sentences. A schema of type `object` is closed unless it says that it
 * is open.
 */
export const jsonSchemaProblems = (document: OpenApiDocument) => {
  const membersOf = (schema: JsonSchema, value: object, at: string): ReadonlyArray<string> => {
    const { additionalProperties: more = schema.type !== "object", dependentRequired = {}, properties = {} } = schema
    const dependent = Object.entries(dependentRequired).flatMap(([name, others]) =>
      Object.hasOwn(value, name) ? others : []
    )
    return [
      ...[...(schema.required ?? []), ...dependent]
        .filter((name) => !Object.hasOwn(value, name))
        .map((name) => `${at}.${name} is missing`),
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
    const { allOf = [], anyOf = [], items, oneOf = [] } = schema
    const each = (ways: ReadonlyArray<JsonSchema>) => ways.map((way) => problems(way, value, at))
    const fitting = (found: ReadonlyArray<ReadonlyArray<string>>) => found.filter(({ length }) => length === 0).length
    const [any, one] = [each(anyOf), each(oneOf)]
    return [
      ...each(allOf).flat(),
      ...(any.length === 0 || fitting(any) > 0 ? [] : [`${at} is none of what it may be: ${any.flat().join("; ")}`]),
      ...(one.length === 0 || fitting(one) === 1
        ? []
        : [`${at} fits ${fitting(one)} of ${one.length} forms: ${one.flat().join("; ")}`]),
      ...(items !== undefined && Array.isArray(value)
        ? value.flatMap((item, index) => problems(items, item, `${at}.${index}`))
        : []),
      ...(Predicate.isRecord(value) ? membersOf(schema, value, at) : [])
    ]
  }

  return problems
}
