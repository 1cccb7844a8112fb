import { assert, describe, it } from "vitest"
import { idPlaces, putAt } from "./IdPlaces.js"
import type { DescribedOperation, JsonSchema, OpenApiDocument } from "./OpenApiDocument.js"

const uuid: JsonSchema = { type: "string", format: "uuid" }
const text: JsonSchema = { type: "string" }
const object = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({ type: "object", properties })

const document: OpenApiDocument = {
  paths: {},
  components: {
    schemas: {
      Id: uuid,
      Branch: object({
        parentId: { $ref: "#/components/schemas/Id" },
        branches: { type: "array", items: { $ref: "#/components/schemas/Branch" } }
      })
    }
  }
}

const operation: DescribedOperation = {
  operationId: "trees.grow",
  security: [],
  parameters: [
    { in: "path", name: "slug", required: true, schema: text },
    { in: "query", name: "gardener", required: false, schema: { $ref: "#/components/schemas/Id" } },
    { in: "query", name: "page", required: false, schema: text },
    {
      in: "query",
      name: "filters",
      required: false,
      schema: { ...text, contentSchema: object({ soilId: uuid, name: text }) }
    },
    { in: "header", name: "last-event-id", required: false, schema: uuid }
  ],
  requestBody: {
    required: true,
    content: {
      "application/json": {
        schema: object({
          name: text,
          templateId: text,
          participantIds: { type: "array", items: text },
          way: { anyOf: [{ type: "null" }, object({ to: { type: "array", items: object({ contact: uuid }) } })] },
          branch: { $ref: "#/components/schemas/Branch" }
        })
      }
    }
  },
  responses: {}
}

describe("The places of ids in an operation", () => {
  it("are found in path, query, header, filters and body, by format or by name", () => {
    assert.deepStrictEqual(
      idPlaces(document, operation).map(({ at, in: place, name }) => [place, name, at.join(".")]),
      [
        ["path", "slug", ""],
        ["query", "gardener", ""],
        ["filters", "soilId", "soilId"],
        ["header", "last-event-id", ""],
        ["body", "templateId", "templateId"],
        ["body", "participantIds", "participantIds.0"],
        ["body", "contact", "way.to.0.contact"],
        ["body", "parentId", "branch.parentId"]
      ]
    )
  })

  it("are filled without change of other fields; missing parents are created", () => {
    assert.deepStrictEqual(putAt({ a: 1, to: [{ b: 2 }, 3] }, ["to", "0", "c"], 4), { a: 1, to: [{ b: 2, c: 4 }, 3] })
    assert.deepStrictEqual(putAt(undefined, ["way", "to", "0"], 5), { way: { to: [5] } })
  })
})
