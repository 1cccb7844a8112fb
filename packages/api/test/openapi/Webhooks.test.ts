import { makeDocument } from "@switchboard/api/openapi/Document"
import { eventEnvelope } from "@switchboard/domain/events/EventCatalog"
import { eventTypes } from "@switchboard/domain/events/EventType"
import { Schema } from "effect"
import { assert, describe, it } from "vitest"
import { inlineParts } from "./InlineParts.js"

interface Document {
  readonly openapi: string
  readonly webhooks: Record<
    string,
    {
      readonly post: {
        readonly description: string
        readonly parameters: ReadonlyArray<{ readonly name: string }>
        readonly requestBody: {
          readonly content: {
            readonly "application/json": { readonly schema: { readonly $ref: string }; readonly example: unknown }
          }
        }
      }
    }
  >
  readonly components: { readonly schemas: Record<string, { readonly required?: ReadonlyArray<string> }> }
}

const document: Document = inlineParts(makeDocument("https://mail.example.net", "0.2.0"))

describe("The webhooks of the OpenAPI document", () => {
  it("are one for each event type (OpenAPI 3.1)", () => {
    assert.match(document.openapi, /^3\.1\./)
    assert.deepStrictEqual(Object.keys(document.webhooks), [...eventTypes])
  })

  it.each(eventTypes)("describe %s with a schema and a valid example", (type) => {
    const { description, parameters, requestBody } = document.webhooks[type]?.post ?? assert.fail()
    assert.match(description, /^[A-Z].+\.$/)
    assert.deepStrictEqual(
      parameters.map(({ name }) => name),
      ["webhook-id", "webhook-timestamp", "webhook-signature"]
    )
    const { example, schema } = requestBody.content["application/json"]
    const name = schema.$ref.replace("#/components/schemas/", "")
    assert.match(name, /^[A-Za-z]+Event$/)
    assert.deepStrictEqual(document.components.schemas[name]?.required, [
      "id",
      "type",
      "timestamp",
      "organizationId",
      "data"
    ])
    Schema.decodeUnknownSync(eventEnvelope(type), { onExcessProperty: "error" })(example)
  })
})
