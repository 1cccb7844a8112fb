import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import { Option } from "effect"
import type { JsonSchema, OpenApiDocument } from "./OpenApiDocument.js"

/** A schema with references to the names of the document's schemas, instead of their places within it. */
const withNames = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"'))

const problemsOf = ({ components }: OpenApiDocument) => {
  const ajv = new Ajv2020({ allErrors: true, strictTypes: false, code: { optimize: false } })
  formats.default(ajv)
  // Their patterns are exact except for IDNA.
  for (const format of ["idn-email", "idn-hostname"]) ajv.addFormat(format, true)
  ajv.addKeyword("discriminator")
  // Each schema is added by its name, so that it is compiled once, and not for each schema that refers to it.
  for (const [name, schema] of Object.entries(components.schemas)) ajv.addSchema(withNames(schema), name)

  const compiled = new WeakMap<JsonSchema, ValidateFunction>()
  const validator = (schema: JsonSchema) =>
    Option.getOrElse(Option.fromNullable(compiled.get(schema)), () => {
      const validate = ajv.compile(withNames(schema))
      compiled.set(schema, validate)
      return validate
    })

  return (schema: JsonSchema, value: unknown): ReadonlyArray<string> => {
    const validate = validator(schema)
    if (validate(value)) return []
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || "the value"} ${message}`)
  }
}

const known = new WeakMap<OpenApiDocument, ReturnType<typeof problemsOf>>()

/** The differences between a value and its schema, by an independent implementation of JSON Schema 2020-12. */
export const jsonSchemaProblems = (document: OpenApiDocument) => {
  const problems = known.get(document) ?? problemsOf(document)
  known.set(document, problems)
  return problems
}
