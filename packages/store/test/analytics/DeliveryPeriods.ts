import type { DateRange } from "@switchboard/domain/analytics/DateRange"
import { DeliveryMetrics, type Granularity } from "@switchboard/domain/analytics/DeliveryMetrics"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { AnalyticsRepo } from "@switchboard/services/analytics/AnalyticsRepo"
import { Effect, Schema } from "effect"
import { assert } from "vitest"

const decode = Schema.decodeSync(Schema.parseJson(DeliveryMetrics), { onExcessProperty: "error" })

/** The decoded delivery metrics of an organization. */
export const deliveryPeriods = (organization: OrganizationId, range: DateRange, granularity: Granularity) =>
  Effect.gen(function* () {
    const repo = yield* AnalyticsRepo
    const { granularity: of, ...metrics } = decode(yield* repo.deliveryMetrics(organization, range, granularity))
    assert.strictEqual(of, granularity)
    return metrics
  })
