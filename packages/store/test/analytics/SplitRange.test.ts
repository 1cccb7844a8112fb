import { splitAtQuarterHours } from "@switchboard/store/analytics/SplitRange"
import { DateTime } from "effect"
import { assert, describe, it } from "vitest"

const split = (start: string, end: string) => {
  const text = (range: { readonly start: DateTime.Utc; readonly end: DateTime.Utc }) =>
    [range.start, range.end].map((at) => DateTime.formatIso(at).slice(11)).join(" ")
  const { edges, complete } = splitAtQuarterHours({
    start: DateTime.unsafeMake(`2026-11-20T${start}Z`),
    end: DateTime.unsafeMake(`2026-11-20T${end}Z`)
  })
  const isEmpty = DateTime.distance(complete.start, complete.end) === 0
  return { complete: isEmpty ? "" : text(complete), edges: edges.map(text) }
}

describe("splitAtQuarterHours", () => {
  it("returns complete quarter hours", () => {
    assert.deepStrictEqual(split("09:15:00", "10:00:00"), { complete: "09:15:00.000Z 10:00:00.000Z", edges: [] })
  })

  it("returns the incomplete parts before and after them", () => {
    assert.deepStrictEqual(split("09:14:59.999", "10:00:00.001"), {
      complete: "09:15:00.000Z 10:00:00.000Z",
      edges: ["09:14:59.999Z 09:15:00.000Z", "10:00:00.000Z 10:00:00.001Z"]
    })
  })

  it("returns no complete quarter hour for a short range", () => {
    assert.deepStrictEqual(split("09:16:00", "09:29:00"), { complete: "", edges: ["09:16:00.000Z 09:29:00.000Z"] })
    assert.deepStrictEqual(split("09:16:00", "09:44:00"), {
      complete: "",
      edges: ["09:16:00.000Z 09:30:00.000Z", "09:30:00.000Z 09:44:00.000Z"]
    })
    assert.deepStrictEqual(split("09:15:00", "09:15:01"), { complete: "", edges: ["09:15:00.000Z 09:15:01.000Z"] })
    assert.deepStrictEqual(split("09:15:00", "09:15:00"), { complete: "", edges: [] })
  })
})
