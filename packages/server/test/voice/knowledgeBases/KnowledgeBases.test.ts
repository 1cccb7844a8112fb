import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { LiveService } from "../../LiveService.js"
import { put, requestUpload } from "./Upload.js"

layer(LiveService.Shared, { excludeTestServices: true })("A knowledge base", (it) => {
  it.effect("streams the largest document to disk, and deletes it", () =>
    Effect.gen(function* () {
      const { baseUrl, environment } = yield* LiveService
      const largest = 52_428_800
      const { count, remove, status, storageKey, uploadUrl } = yield* requestUpload(largest)
      const url = baseUrl + new URL(uploadUrl).pathname
      const bytes = Buffer.alloc(largest, "Switchboard ")
      const file = join(environment.DATA_DIR ?? "", "objects", storageKey)
      assert.strictEqual(yield* put(url, bytes), 200)
      assert.isTrue(readFileSync(file).equals(bytes))
      assert.deepStrictEqual([yield* status, yield* count], ["ready", 1])
      assert.strictEqual(yield* put(url, Buffer.from("hello")), 409)
      assert.strictEqual(yield* remove, 200)
      assert.isFalse(existsSync(file))
      assert.strictEqual(yield* put(url, Buffer.from("hello")), 404)
    })
  )
})
