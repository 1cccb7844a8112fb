import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, LiveApi } from "../LiveApi.js"

const operations = [
  "/v1/email/stats",
  "/v1/whatsapp/stats",
  "/v1/analytics/stats",
  "/v1/analytics/channel-stats",
  "/v1/analytics/delivery-metrics",
  "/v1/analytics/hourly-distribution",
  "/v1/analytics/top-participants",
  "/v1/analytics/geographic-distribution"
]

layer(LiveApi.layer, { excludeTestServices: true })("Every operation of statistics", (it) => {
  it.effect("accepts a range, and rejects an invalid one", () =>
    Effect.gen(function* () {
      const long = "startDate=2025-10-31T00:00:00Z&endDate=2026-11-01T00:00:00.001Z"
      const tooLong = "The parameters startDate and endDate must be at most 366 days apart"
      for (const path of operations) {
        assert.strictEqual((yield* call("GET", path)).status, 200)
        const good = "startDate=2026-11-01T00:00:00%2B01:00&endDate=2026-11-01T00:00Z"
        assert.strictEqual((yield* call("GET", `${path}?${good}`)).status, 200)
        const day = "startDate=2026-11-01&endDate=2026-11-01"
        assert.strictEqual((yield* call("GET", `${path}?${day}`)).status, 200)
        const { body, status } = yield* call("GET", `${path}?${long}`)
        assert.deepStrictEqual([path, status, body.message], [path, 400, tooLong])
      }
      const [path] = operations
      for (const [query, message] of [
        ["startDate=yesterday", "The parameter startDate must be an ISO 8601 date-time or date"],
        ["startDate=2026-02-30", "The parameter startDate must be an ISO 8601 date-time or date"],
        ["endDate=", "The parameter endDate must be an ISO 8601 date-time or date"],
        ["startDate=2026-11-02&endDate=2026-11-01", "The parameter endDate must not be before startDate"],
        [
          "startDate=2026-11-01T00:00:00Z&endDate=2026-10-31T00:00:00Z",
          "The parameter endDate must not be before startDate"
        ]
      ]) {
        const { body, status } = yield* call("GET", `${path}?${query}`)
        assert.deepStrictEqual([status, body], [400, { _tag: "BadRequestError", message }])
      }
      const { body } = yield* call("GET", "/v1/analytics/delivery-metrics?granularity=hour")
      assert.strictEqual(body.granularity, "hour")
    })
  )
})
