import { fieldsBySchema } from "@switchboard/api/openapi/DescribeFields"
import { makeDocument } from "@switchboard/api/openapi/Document"
import { commonFields } from "@switchboard/api/openapi/fields/CommonFields"
import { clientTypes } from "@switchboard/api/typescript/ClientTypes"
import { assert, describe, it } from "vitest"
import { inlineParts } from "./InlineParts.js"

interface Parameter {
  readonly name: string
  readonly description?: string
  readonly schema: Schema
}

interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly required: boolean }
}

interface Schema {
  readonly description?: string
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: ReadonlyArray<Schema>
  readonly oneOf?: ReadonlyArray<Schema>
  readonly discriminator?: object
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
  }
}

const text = JSON.stringify(makeDocument("https://mail.example.net", "0.2.0"))

const { components, paths, webhooks }: Document = inlineParts(JSON.parse(text))

const operations = [...Object.values(paths), ...Object.values(webhooks)].flatMap((methods) => Object.values(methods))

/** A sentence or more: with a capital letter or code at the start, without missing parts. */
const isDescription = (description: string | undefined) =>
  description !== undefined && /^(?:[A-Z0-9`]|- )/.test(description) && !description.includes("undefined")

describe("The OpenAPI document, for tools", () => {
  it("has no $id: an id must be unique", () => {
    assert.notInclude(text, '"$id":')
  })

  it("has no part twice", () => {
    assert.isBelow(text.length, 900_000)
    assert.strictEqual(text.split("00000000-0000-0000-0000-000000000000").length, 2)
  })

  it("types the position in a list as integers for senders, drafts and voice, and else as digits", () => {
    const isInteger = (operationId: string) => /^(?:senders|drafts|voice\w+|knowledgeBases)\./.test(operationId)
    const found = operations.flatMap(({ operationId, parameters = [] }) =>
      parameters.flatMap(({ name, schema }) =>
        ["page", "limit"].includes(name) && schema.type !== (isInteger(operationId) ? "integer" : "string")
          ? [`${operationId} ${name}`]
          : []
      )
    )
    assert.deepStrictEqual(found, [])
    assert.deepStrictEqual<unknown>(
      paths["/v1/drafts"]?.get?.parameters?.slice(0, 2).map(({ name, schema }) => ({ name, ...schema })),
      [
        { name: "page", type: "integer", minimum: 1, maximum: 10_000_000, default: 1 },
        { name: "limit", type: "integer", minimum: 1, maximum: 100, default: 20 }
      ]
    )
  })

  it("tells the channels of a send apart", () => {
    const { discriminator, oneOf } = components.schemas.SendRequest ?? {}
    const mapping = {
      email: "#/components/schemas/EmailMessageRequest",
      sms: "#/components/schemas/SmsMessageRequest",
      whatsapp: "#/components/schemas/WhatsAppMessageRequest"
    }
    assert.deepStrictEqual(discriminator, { propertyName: "channel", mapping })
    assert.deepStrictEqual<unknown>(
      oneOf,
      Object.values(mapping).map(($ref) => ({ $ref }))
    )
  })

  it("marks a body without required fields as optional", () => {
    assert.isFalse(paths["/v1/api-keys/{id}/rotate"]?.post?.requestBody?.required)
    assert.isTrue(paths["/v1/api-keys"]?.post?.requestBody?.required)
    assert.isTrue(paths["/v1/messages"]?.post?.requestBody?.required)
  })
})

describe("The OpenAPI document, for readers", () => {
  it("gives every operation a summary of at most ten words", () => {
    const wordsOf = ({ summary = "" }: Operation) => summary.split(" ").filter((word) => word !== "")
    const wrong = operations.filter((operation) => wordsOf(operation).length === 0 || wordsOf(operation).length > 10)
    assert.deepStrictEqual(
      wrong.map(({ operationId }) => operationId),
      []
    )
  })

  it("describes every operation", () => {
    const wrong = operations.filter(({ description }) => !isDescription(description))
    assert.deepStrictEqual(
      wrong.map(({ operationId }) => operationId),
      []
    )
  })

  it("describes every parameter", () => {
    const wrong = operations.flatMap(({ operationId, parameters = [] }) =>
      parameters.filter(({ description }) => !isDescription(description)).map(({ name }) => `${operationId} ${name}`)
    )
    assert.deepStrictEqual(wrong, [])
  })

  it("has patterns that RE2, Go and Rust compile", () => {
    const patterns = [...text.matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(([, text = '""']) =>
      String(JSON.parse(text))
    )
    assert.isAbove(patterns.length, 20)
    const lookaround = /\(\?(?!:)/
    const escapes = /\\[^wWdDsSxrnt.^$*+?()[\]{}|/\\-]/
    // Rust reads an unescaped bracket within a class as a nested class.
    const nested = /(?<!\\)\[\^?(?:[^\]\\]|\\.)*?(?<!\\)\[/
    for (const pattern of patterns) {
      for (const unknown of [lookaround, escapes, nested]) assert.notMatch(pattern, unknown)
    }
  })

  it("describes every field", () => {
    const undescribed = (
      { anyOf = [], items, oneOf = [], properties = {} }: Schema,
      at: string
    ): ReadonlyArray<string> => [
      ...Object.entries(properties).flatMap(([field, schema]) => [
        ...(isDescription(schema.description) ? [] : [`${at}.${field}`]),
        ...undescribed(schema, `${at}.${field}`)
      ]),
      ...[...anyOf, ...oneOf, ...(items === undefined ? [] : [items])].flatMap((schema) => undescribed(schema, at))
    ]
    assert.deepStrictEqual(
      Object.entries(components.schemas).flatMap(([name, schema]) => undescribed(schema, name)),
      []
    )
  })

  it("uses every description of a field, here or in the types of the client", () => {
    const listed = Object.entries(fieldsBySchema).flatMap(([schema, fields]) =>
      Object.entries(fields).map(([field, description]) => ({ name: `${schema}.${field}`, description }))
    )
    const common = Object.entries(commonFields).map(([name, description]) => ({ name, description }))
    const types = clientTypes()
    const unused = [...listed, ...common].filter(
      ({ description }) =>
        !text.includes(`"description":${JSON.stringify(description)}`) && !types.includes(description)
    )
    assert.deepStrictEqual(
      unused.map(({ name }) => name),
      []
    )
  })
})
