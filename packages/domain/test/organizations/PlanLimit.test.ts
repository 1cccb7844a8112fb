import { planExceeded, planLimits } from "@switchboard/domain/organizations/PlanLimit"
import { assert, describe, it } from "vitest"

describe("The error for a send beyond the plan", () => {
  it("reports the usage, and at least the limit", () => {
    const limit = planLimits.free
    for (const [used, currentUsage] of [
      [limit - 2, limit],
      [limit, limit],
      [limit + 500, limit + 500]
    ] as const) {
      assert.deepInclude(planExceeded("free", used), {
        _tag: "PaymentRequiredError",
        resource: "messages",
        currentUsage,
        limit
      })
    }
  })
})
