import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { caller, LiveService, metricsText, send, until } from "./LiveService.js"
import { startService } from "./TestService.js"

/** The number of activities that the services of this process have dropped. */
const droppedActivities = Effect.map(
  metricsText,
  (text) => /^switchboard_key_activity_dropped_total (\d+)$/m.exec(text)?.[1] ?? "none"
)

layer(LiveService.Shared, { excludeTestServices: true })("API keys", (it) => {
  it.effect("have their activity of all processes, also of one that has stopped", () =>
    Effect.gen(function* () {
      const { baseUrl, call, environment } = yield* LiveService
      const dropped = yield* droppedActivities
      const { id, key } = (yield* call("POST", "/v1/api-keys", { name: "Busy", roleName: "viewer" })).body
      yield* caller(baseUrl, key)("GET", "/v1/messages?limit=1")
      yield* caller(baseUrl, key)("POST", "/v1/messages", send())
      // A process writes its last activity when it stops.
      yield* Effect.scoped(
        Effect.flatMap(startService(environment), (other) => caller(other.baseUrl, key)("GET", "/v1/messages"))
      )
      const { body } = yield* until(
        call("GET", `/v1/api-keys/${id}/activity`),
        (response) => response.body.pagination.total === 3
      )
      assert.deepStrictEqual(
        body.items.map(({ method, path, status }: Record<string, unknown>) => `${method} ${path} ${status}`),
        ["GET /v1/messages 200", "POST /v1/messages 403", "GET /v1/messages 200"]
      )
      const stats = yield* call("GET", `/v1/api-keys/${id}/stats`)
      const { lastUsedAt: _, ...counts } = stats.body
      assert.deepStrictEqual(counts, {
        totalRequests: 3,
        requestsLast24Hours: 3,
        errorRate: 1 / 3,
        byStatus: { 200: 2, 403: 1 },
        byEndpoint: { "GET /v1/messages": 2, "POST /v1/messages": 1 }
      })
      assert.match(dropped, /^\d+$/)
      assert.strictEqual(yield* droppedActivities, dropped)
    })
  )
})
