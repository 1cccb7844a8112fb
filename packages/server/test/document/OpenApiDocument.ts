import { inlineParts } from "@switchboard/api/testing/openapi/InlineParts"
import { Schema } from "effect"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })
const text = optional(Schema.String)
const number = optional(Schema.Number)

/** Annotations, which do not restrict values. */
const annotations = {
  title: text,
  description: text,
  examples: optional(Schema.Array(Schema.Unknown)),
  default: optional(Schema.Unknown),
  contentEncoding: text,
  contentMediaType: text,
  discriminator: optional(Schema.Unknown)
}

const flat = {
  ...annotations,
  $ref: text,
  type: text,
  enum: optional(Schema.Array(Schema.Unknown)),
  format: text,
  pattern: text,
  minLength: number,
  maxLength: number,
  minItems: number,
  maxItems: number,
  uniqueItems: optional(Schema.Boolean),
  minimum: number,
  maximum: number,
  minProperties: number,
  maxProperties: number,
  required: optional(Schema.Array(Schema.String))
}

/** The subset of JSON Schema that the document uses. */
export interface JsonSchema extends Schema.Struct.Type<typeof flat> {
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: boolean | JsonSchema
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
  readonly not?: JsonSchema
  readonly if?: JsonSchema
  readonly else?: JsonSchema
  readonly propertyNames?: JsonSchema
  readonly contentSchema?: JsonSchema
}

const JsonSchema: Schema.Schema<JsonSchema> = Schema.suspend(() =>
  Schema.Struct({
    ...flat,
    items: optional(JsonSchema),
    properties: optional(Schema.Record({ key: Schema.String, value: JsonSchema })),
    additionalProperties: optional(Schema.Union(Schema.Boolean, JsonSchema)),
    anyOf: optional(Schema.Array(JsonSchema)),
    oneOf: optional(Schema.Array(JsonSchema)),
    allOf: optional(Schema.Array(JsonSchema)),
    not: optional(JsonSchema),
    if: optional(JsonSchema),
    else: optional(JsonSchema),
    propertyNames: optional(JsonSchema),
    contentSchema: optional(JsonSchema)
  })
).annotations({
  // An unknown keyword must fail: the generator of requests would ignore it.
  parseOptions: { onExcessProperty: "error" }
})

const Content = Schema.Record({
  key: Schema.String,
  value: Schema.Struct({ schema: JsonSchema, example: optional(Schema.Unknown) })
})

const Parameter = Schema.Struct({
  name: Schema.String,
  in: Schema.Literal("path", "query", "header"),
  required: Schema.Boolean,
  schema: JsonSchema
})
export type Parameter = typeof Parameter.Type

const Response = Schema.Struct({
  headers: optional(Schema.Record({ key: Schema.String, value: Schema.Unknown })),
  content: optional(Content)
})

const DescribedOperation = Schema.Struct({
  operationId: Schema.String,
  parameters: Schema.Array(Parameter),
  security: Schema.Array(Schema.Record({ key: Schema.String, value: Schema.Unknown })),
  "x-permission": text,
  requestBody: optional(Schema.Struct({ required: Schema.Boolean, content: Content })),
  responses: Schema.Record({ key: Schema.String, value: Response })
})
export type DescribedOperation = typeof DescribedOperation.Type

/** The parts of the document that describe requests and responses. */
const OpenApiDocument = Schema.Struct({
  paths: Schema.Record({
    key: Schema.String,
    value: Schema.Record({ key: Schema.String, value: DescribedOperation })
  }),
  components: Schema.Struct({ schemas: Schema.Record({ key: Schema.String, value: JsonSchema }) })
})
export type OpenApiDocument = typeof OpenApiDocument.Type

/** Decodes the document, with its shared parts in each operation. */
export const decodeDocument = (document: unknown): OpenApiDocument =>
  Schema.decodeUnknownSync(OpenApiDocument)(inlineParts(document))

/** Resolves a reference; keywords beside `$ref` take precedence. */
export const resolve = (document: OpenApiDocument, schema: JsonSchema): JsonSchema => {
  const { $ref, ...beside } = schema
  if ($ref === undefined) return schema
  const named = document.components.schemas[$ref.replace("#/components/schemas/", "")]
  if (named === undefined) throw new Error(`The document has no schema ${$ref}`)
  return { ...resolve(document, named), ...beside }
}
