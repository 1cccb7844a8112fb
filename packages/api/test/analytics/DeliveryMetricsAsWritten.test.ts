import { DeliveryMetrics } from "@switchboard/domain/analytics/DeliveryMetrics"
import { Arbitrary, FastCheck, Schema } from "effect"
import { assert, it } from "vitest"

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

it("the JSON of delivery metrics equals their encoded form", () => {
  const encode = Schema.encodeSync(DeliveryMetrics)
  FastCheck.assert(
    FastCheck.property(Arbitrary.make(DeliveryMetrics), (metrics) => {
      assert.deepStrictEqual(json(metrics), json(encode(metrics)))
    }),
    { numRuns: 50 }
  )
})
