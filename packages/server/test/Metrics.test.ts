import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { LiveService } from "./LiveService.js"

layer(LiveService.Shared, { excludeTestServices: true })("Metrics without METRICS_PORT", (it) => {
  it.effect("are served only to this host, and not through a local proxy", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* LiveService
      const statusOf = (headers: Readonly<Record<string, string>>) =>
        Effect.promise(() => fetch(`${baseUrl}/metrics`, { headers }).then(({ status }) => status))
      assert.strictEqual(yield* statusOf({}), 200)
      assert.strictEqual(yield* statusOf({ "X-Forwarded-For": "192.0.2.1" }), 404)
      assert.strictEqual(yield* statusOf({ Forwarded: "for=192.0.2.1" }), 404)
    })
  )
})
