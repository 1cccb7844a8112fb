import { makeDocument } from "@switchboard/api/openapi/Document"
import { assert, describe, it } from "vitest"

const text = JSON.stringify(makeDocument())

describe("The OpenAPI document, for the tools that read it", () => {
  it("names schemas by references alone: a validator refuses an id that is given twice", () => {
    assert.notInclude(text, '"$id":')
  })

  it("lets a body be left out that has nothing to require", () => {
    const paths: Record<string, Record<string, { requestBody?: { required: boolean } }>> = JSON.parse(text).paths
    assert.isFalse(paths["/v1/api-keys/{id}/rotate"]?.post?.requestBody?.required)
    assert.isTrue(paths["/v1/api-keys"]?.post?.requestBody?.required)
    assert.isTrue(paths["/v1/messages"]?.post?.requestBody?.required)
  })

  it("describes every operation that needs a key", () => {
    const paths: Record<
      string,
      Record<string, { operationId: string; description?: string; security: Array<unknown> }>
    > = JSON.parse(text).paths
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
    const silent = operations.filter(({ description, security }) => security.length > 0 && !description)
    assert.deepStrictEqual(
      silent.map(({ operationId }) => operationId),
      []
    )
  })
})
