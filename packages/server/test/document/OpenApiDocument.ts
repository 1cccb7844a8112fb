import { Schema } from "effect"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })
const text = optional(Schema.String)
const number = optional(Schema.Number)

/** What says nothing about which values are taken. */
const remarks = {
  title: text,
  description: text,
  examples: optional(Schema.Array(Schema.Unknown)),
  default: optional(Schema.Unknown),
  contentEncoding: text,
  contentMediaType: text
}

const flat = {
  ...remarks,
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
  required: optional(Schema.Array(Schema.String)),
  dependentRequired: optional(Schema.Record({ key: Schema.String, value: Schema.Array(Schema.String) }))
}

/** The JSON Schema that the document is written in. */
export interface JsonSchema extends Schema.Struct.Type<typeof flat> {
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: boolean | JsonSchema
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
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
    contentSchema: optional(JsonSchema)
  })
).annotations({
  // A keyword that JsonSchemaProblems does not look at would let everything pass.
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

const DescribedOperation = Schema.Struct({
  operationId: Schema.String,
  parameters: Schema.Array(Parameter),
  security: Schema.Array(Schema.Record({ key: Schema.String, value: Schema.Unknown })),
  "x-permission": text,
  requestBody: optional(Schema.Struct({ required: Schema.Boolean, content: Content })),
  responses: Schema.Record({ key: Schema.String, value: Schema.Struct({ content: optional(Content) }) })
})
export type DescribedOperation = typeof DescribedOperation.Type

/** As much of the document as a caller needs to know what to ask and what to expect. */
export const OpenApiDocument = Schema.Struct({
  paths: Schema.Record({
    key: Schema.String,
    value: Schema.Record({ key: Schema.String, value: DescribedOperation })
  }),
  components: Schema.Struct({ schemas: Schema.Record({ key: Schema.String, value: JsonSchema }) })
})
export type OpenApiDocument = typeof OpenApiDocument.Type

/** The schema that a reference stands for, with what is said beside it. */
export const resolve = (document: OpenApiDocument, schema: JsonSchema): JsonSchema => {
  const { $ref, ...beside } = schema
  if ($ref === undefined) return schema
  const named = document.components.schemas[$ref.replace("#/components/schemas/", "")]
  if (named === undefined) throw new Error(`The document names ${$ref}, and does not say what it is`)
  return { ...resolve(document, named), ...beside }
}
