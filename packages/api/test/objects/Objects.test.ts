import { assert, layer } from "@effect/vitest"
import { objectKey } from "@switchboard/domain/objects/ObjectKey"
import { ObjectLinks } from "@switchboard/services/objects/ObjectLinks"
import { ObjectStore } from "@switchboard/services/objects/ObjectStore"
import { Effect, Layer } from "effect"
import { call, LiveApi, organization } from "../LiveApi.js"
import { linksInMemory } from "../StoredUseCases.js"

const key = objectKey(organization, "tests", "01a1fc1d-d2b0-7c31-9a41-6f1de0a4b7c2")

layer(Layer.merge(LiveApi.layer, linksInMemory), { excludeTestServices: true })("GET /v1/objects/{token}", (it) => {
  it.effect("downloads a file by its link, without a key, as an attachment", () =>
    Effect.gen(function* () {
      yield* Effect.flatMap(ObjectStore, (store) => store.put(key, Buffer.from("<script>"), "text/html"))
      const link = yield* Effect.flatMap(ObjectLinks, (links) => links.downloadUrl(key, { filename: "é.html" }))
      const response = yield* call("GET", new URL(link).pathname, { key: null })
      assert.strictEqual(response.status, 200, response.text)
      assert.strictEqual(response.text, "<script>")
      assert.strictEqual(response.headers.get("content-type"), "application/octet-stream")
      assert.strictEqual(response.headers.get("content-length"), "8")
      assert.strictEqual(response.headers.get("x-content-type-options"), "nosniff")
      assert.strictEqual(
        response.headers.get("content-disposition"),
        "attachment; filename=\"_.html\"; filename*=UTF-8''%C3%A9.html"
      )
      const head = yield* call("GET", `${new URL(link).pathname}x`, { key: null })
      assert.strictEqual(head.status, 404)
      assert.deepInclude(head.body, { _tag: "ResourceNotFoundError", resource: "download" })
      for (const path of ["/v1/objects/a/b", "/v1/objects/"]) {
        const { body, status } = yield* call("GET", path, { key: null })
        assert.strictEqual(status, 404)
        assert.deepStrictEqual(body, { _tag: "ResourceNotFoundError", resource: "route", id: path })
      }
    })
  )
})
