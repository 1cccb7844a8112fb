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

const isOutside = (size: number, min: number | undefined, max: number | undefined) =>
  size < (min ?? -Infinity) || size > (max ?? Infinity)

const stringProblem = (schema: JsonSchema, value: string): string | undefined => {
  if (isOutside([...value].length, schema.minLength, schema.maxLength)) return "has another length"
  if (schema.pattern !== undefined && !new RegExp(schema.pattern, "u").test(value)) return "does not fit the pattern"
  if (schema.format === undefined) return undefined
  const format = formats[schema.format]
  if (format === undefined) return `has the format ${schema.format}: add it to JsonSchemaProblems.ts`
  return format.test(value) ? undefined : `is not a valid ${schema.format}`
}

/** The problem of a value itself, without its members. */
const ownProblem = (schema: JsonSchema, value: unknown): string | undefined => {
  if (schema.type !== undefined && types[schema.type]?.(value) !== true) return `is not of type ${schema.type}`
  if (schema.enum !== undefined && !schema.enum.includes(value)) return `is not one of ${schema.enum.join(", ")}`
  if (Predicate.isString(value)) return stringProblem(schema, value)
  if (Predicate.isNumber(value) && isOutside(value, schema.minimum, schema.maximum)) return "is out of range"
  if (Array.isArray(value) && isOutside(value.length, schema.minItems, schema.maxItems)) return "has another length"
  if (Array.isArray(value) && schema.uniqueItems === true && new Set(value).size < value.length)
    return "has repeated items"
  return undefined
}

/** The differences between a value and its schema. Objects allow no additional properties unless the schema does. */
export const jsonSchemaProblems = (document: OpenApiDocument) => {
  const membersOf = (schema: JsonSchema, value: object, at: string): ReadonlyArray<string> => {
    const {
      additionalProperties: additional = schema.type !== "object",
      dependentRequired = {},
      properties = {}
    } = schema
    const dependent = Object.entries(dependentRequired).flatMap(([name, others]) =>
      Object.hasOwn(value, name) ? others : []
    )
    return [
      ...[...(schema.required ?? []), ...dependent]
        .filter((name) => !Object.hasOwn(value, name))
        .map((name) => `${at}.${name} is missing`),
      ...Object.entries(value).flatMap(([name, member]) => {
        const described = Object.hasOwn(properties, name) ? properties[name] : additional
        if (described === undefined || described === false) return [`${at}.${name} is not described`]
        return described === true ? [] : problems(described, member, `${at}.${name}`)
      })
    ]
  }

  const problems = (schemaOrReference: JsonSchema, value: unknown, at = "the response"): ReadonlyArray<string> => {
    const schema = resolve(document, schemaOrReference)
    const own = ownProblem(schema, value)
    if (own !== undefined) return [`${at} ${own}: ${JSON.stringify(value)}`]
    const { allOf = [], anyOf = [], items, oneOf = [] } = schema
    const each = (options: ReadonlyArray<JsonSchema>) => options.map((option) => problems(option, value, at))
    const fitting = (found: ReadonlyArray<ReadonlyArray<string>>) => found.filter(({ length }) => length === 0).length
    const [any, one] = [each(anyOf), each(oneOf)]
    return [
      ...each(allOf).flat(),
      ...(any.length === 0 || fitting(any) > 0 ? [] : [`${at} matches no option: ${any.flat().join("; ")}`]),
      ...(one.length === 0 || fitting(one) === 1
        ? []
        : [`${at} matches ${fitting(one)} of ${one.length} options: ${one.flat().join("; ")}`]),
      ...(items !== undefined && Array.isArray(value)
        ? value.flatMap((item, index) => problems(items, item, `${at}.${index}`))
        : []),
      ...(Predicate.isRecord(value) ? membersOf(schema, value, at) : [])
    ]
  }

  return problems
}
