import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import { Option } from "effect"
import type { JsonSchema, OpenApiDocument } from "./OpenApiDocument.js"

/** References of the document, and the same as references to a schema with an id. */
const [local, absolute] = ['"#/components/', '"document#/components/']

/** The differences between a value and its schema, by an independent implementation of JSON Schema 2020-12. */
export const jsonSchemaProblems = ({ components }: OpenApiDocument) => {
  const ajv = new Ajv2020({ allErrors: true, strictTypes: false })
  formats.default(ajv)
  // Their patterns are exact except for IDNA.
  for (const format of ["idn-email", "idn-hostname"]) ajv.addFormat(format, true)
  for (const keyword of ["components", "discriminator"]) ajv.addKeyword(keyword)
  ajv.addSchema({ $id: "document", components })

  const compiled = new WeakMap<JsonSchema, ValidateFunction>()
  const validator = (schema: JsonSchema) =>
    Option.getOrElse(Option.fromNullable(compiled.get(schema)), () => {
      const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll(local, absolute)))
      compiled.set(schema, validate)
      return validate
    })

  return (schema: JsonSchema, value: unknown): ReadonlyArray<string> => {
    const validate = validator(schema)
    if (validate(value)) return []
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || "the value"} ${message}`)
  }
}
