import { planExceeded, planLimits } from "@switchboard/domain/organizations/PlanLimit"
import { assert, describe, it } from "vitest"

describe("A send beyond the plan", () => {
  it("says what is used, and that the limit is used up by sends of the same batch", () => {
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
