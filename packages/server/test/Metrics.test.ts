import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { freePort } from "./FreePort.js"
import { LiveService } from "./LiveService.js"

const statusOf = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  Effect.promise(() => fetch(url, { headers }).then(({ status }) => status))

layer(LiveService.layer(), { excludeTestServices: true })("Metrics without METRICS_PORT", (it) => {
  it.effect("are served only to this host, and not through a local proxy", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* LiveService
      assert.strictEqual(yield* statusOf(`${baseUrl}/metrics`), 200)
      assert.strictEqual(yield* statusOf(`${baseUrl}/metrics`, { "X-Forwarded-For": "192.0.2.1" }), 404)
      assert.strictEqual(yield* statusOf(`${baseUrl}/metrics`, { Forwarded: "for=192.0.2.1" }), 404)
    })
  )
})

const WithPort = Layer.unwrapEffect(Effect.map(freePort, (port) => LiveService.layer({ METRICS_PORT: String(port) })))

layer(WithPort, { excludeTestServices: true })("Metrics with METRICS_PORT", (it) => {
  it.effect("are served on that port on loopback, with liveness and readiness", () =>
    Effect.gen(function* () {
      const { baseUrl, environment } = yield* LiveService
      const metrics = `http://127.0.0.1:${environment.METRICS_PORT}`
      for (const path of ["/metrics", "/healthz", "/readyz"]) {
        assert.strictEqual(yield* statusOf(`${metrics}${path}`), 200)
      }
      assert.strictEqual(yield* statusOf(`${baseUrl}/metrics`), 404)
      assert.strictEqual(yield* statusOf(`${baseUrl}/healthz`), 200)
      assert.strictEqual(
        yield* Effect.flip(Effect.tryPromise(() => fetch(`${metrics.replace("127.0.0.1", "127.0.0.2")}/metrics`))).pipe(
          Effect.as("refused")
        ),
        "refused"
      )
    })
  )
})
