import { assert, layer } from "@effect/vitest"
import { unsubscribePath } from "@switchboard/services/email/send/Unsubscribes"
import { Effect } from "effect"
import { call, LiveApi } from "../../LiveApi.js"

layer(LiveApi.layer, { excludeTestServices: true })("An unsubscribe link", (it) => {
  it.effect.each([
    { query: "", id: "" },
    { query: "?token=", id: "" },
    { query: "?token=a.b", id: "a.b" },
    { query: "?token=a&token=b", id: "a,b" }
  ])("is not found without one valid token: '$query'", ({ id, query }) =>
    Effect.gen(function* () {
      for (const method of ["GET", "POST"]) {
        const { body, status } = yield* call(method, `${unsubscribePath}${query}`, { key: null })
        assert.strictEqual(status, 404)
        assert.deepStrictEqual(body, { _tag: "ResourceNotFoundError", resource: "unsubscribe link", id })
      }
    })
  )
})
