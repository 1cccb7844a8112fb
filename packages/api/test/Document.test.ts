import { HttpApi, HttpApiSchema } from "@effect/platform"
import { Api } from "@switchboard/api"
import { operationRules } from "@switchboard/api/OperationRules"
import { makeDocument } from "@switchboard/api/openapi/Document"
import { operationExamples } from "@switchboard/api/openapi/OperationExamples"
import { errorExamples } from "@switchboard/api/openapi/SharedParts"
import { Export } from "@switchboard/domain/analytics/Export"
import { ApiError } from "@switchboard/domain/Errors"
import { Either, Option, Schema } from "effect"
import { assert, describe, it } from "vitest"
import { inlineParts } from "./openapi/InlineParts.js"

const document = inlineParts(makeDocument("https://mail.example.net", "0.2.0"))
const text = JSON.stringify(document)

interface Operation {
  readonly operationId: string
  readonly security: ReadonlyArray<object>
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { readonly example?: unknown }>> }>
  >
}

const { components, paths } = document
const operations: ReadonlyArray<Operation> = Object.values<Record<string, Operation>>(paths).flatMap((methods) =>
  Object.values(methods)
)

const strict = <A, I>(schema: Schema.Schema<A, I>) => Schema.decodeUnknownSync(schema, { onExcessProperty: "error" })

/** The errors of an example by its schema. */
const problems = ({ ast }: Schema.Schema.All, example: unknown) =>
  Either.match(Schema.decodeUnknownEither(Schema.make(ast), { onExcessProperty: "error" })(example), {
    onLeft: ({ message }) => [message],
    onRight: () => []
  })

describe("The OpenAPI document", () => {
  it("has version 1.0.0 and resolves every reference", () => {
    const parsed = JSON.parse(text)
    assert.strictEqual(parsed.info.version, "1.0.0")
    const missing = [...text.matchAll(/#\/components\/(\w+)\/([\w-]+)/g)].filter(
      ([, kind = "", name = ""]) => parsed.components[kind][name] === undefined
    )
    assert.deepStrictEqual(missing, [])
    assert.notInclude(text, "HttpApiDecodeError")
  })

  it("requires a permission for every operation that takes a key", () => {
    assert.deepStrictEqual(
      [...operationRules].filter(
        ([, { credentials, permission }]) => credentials.includes("apiKey") && permission === null
      ),
      []
    )
  })

  it("has an example of every response, and each error with its own status", () => {
    const described = operations.filter(({ operationId }) => operationId in operationExamples)
    const declared = [...operationRules.keys()].filter((operation) => operation.includes(" /v1/"))
    assert.strictEqual(described.length, declared.length)
    for (const { operationId, responses, security } of described) {
      const statuses = security.some((scheme) => "apiKey" in scheme) ? ["401", "403", "429"] : []
      for (const status of [...statuses, "400", "500", "503"]) assert.property(responses, status, operationId)
      for (const [status, { content }] of Object.entries(responses)) {
        const [described, ...others] = Object.values(content)
        assert.isDefined(described?.example, `${operationId} ${status}`)
        const forms = operationId === "analytics.export" && status === "200" ? 3 : 1
        assert.lengthOf([described, ...others], forms)
        for (const { example } of others) assert.isString(example)
      }
    }
  })

  it("has examples that are valid by the schemas of their operations", () => {
    const operationIds: Array<string> = []
    HttpApi.reflect(Api, {
      onGroup: () => undefined,
      onEndpoint: ({ endpoint, group }) => {
        const id = `${group.identifier}.${endpoint.name}`
        const example = operationExamples[id]
        operationIds.push(id)
        const isText = HttpApiSchema.getEncoding(endpoint.successSchema.ast).kind !== "Uint8Array"
        const response = isText ? example?.response : Buffer.from(String(example?.response))
        assert.deepStrictEqual(problems(endpoint.successSchema, response), [], id)
        for (const payload of Option.toArray(endpoint.payloadSchema)) {
          assert.deepStrictEqual(problems(payload, example?.request), [], id)
        }
      }
    })
    assert.sameMembers(operationIds, Object.keys(operationExamples))
    for (const example of Object.values(errorExamples)) strict(ApiError)(example)
  })

  it("describes the event stream as text/event-stream", () => {
    const { 200: success, 400: error } = paths["/v1/events"].get.responses
    assert.deepStrictEqual(Object.keys(success.content), ["text/event-stream"])
    assert.match(
      success.content["text/event-stream"].example,
      /^id: .+\nevent: email_block\.created\ndata: \{.+\}\n\n$/
    )
    assert.deepStrictEqual(Object.keys(error.content), ["application/json"])
  })

  it("describes exports as JSON, NDJSON or CSV", () => {
    const { 200: success } = paths["/v1/analytics/export"].get.responses
    assert.sameMembers(Object.keys(success.content), ["application/json", "application/x-ndjson", "text/csv"])
    assert.match(success.content["text/csv"].example, /^id,type,timestamp,organizationId,data\r\n.+\r\n$/)
    strict(Export)([JSON.parse(success.content["application/x-ndjson"].example)])
  })

  it("allows no additional properties in messages", () => {
    assert.isFalse(components.schemas.Message.additionalProperties)
  })
})
