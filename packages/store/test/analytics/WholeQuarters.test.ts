import { wholeQuarters } from "@switchboard/store/analytics/WholeQuarters"
import { DateTime } from "effect"
import { assert, describe, it } from "vitest"

const apart = (start: string, end: string) => {
  const text = (range: { readonly start: DateTime.Utc; readonly end: DateTime.Utc }) =>
    [range.start, range.end].map((at) => DateTime.formatIso(at).slice(11)).join(" ")
  const { edges, whole } = wholeQuarters({
    start: DateTime.unsafeMake(`2026-11-20T${start}Z`),
    end: DateTime.unsafeMake(`2026-11-20T${end}Z`)
  })
  const isEmpty = DateTime.distance(whole.start, whole.end) === 0
  return { whole: isEmpty ? "" : text(whole), edges: edges.map(text) }
}

describe("A range, taken apart", () => {
  it("is whole quarters of hours where it can be", () => {
    assert.deepStrictEqual(apart("09:15:00", "10:00:00"), { whole: "09:15:00.000Z 10:00:00.000Z", edges: [] })
  })

  it("has what is before and what is after them", () => {
    assert.deepStrictEqual(apart("09:14:59.999", "10:00:00.001"), {
      whole: "09:15:00.000Z 10:00:00.000Z",
      edges: ["09:14:59.999Z 09:15:00.000Z", "10:00:00.000Z 10:00:00.001Z"]
    })
  })

  it("may have no whole quarter", () => {
    assert.deepStrictEqual(apart("09:16:00", "09:29:00"), { whole: "", edges: ["09:16:00.000Z 09:29:00.000Z"] })
    assert.deepStrictEqual(apart("09:16:00", "09:44:00"), {
      whole: "",
      edges: ["09:16:00.000Z 09:30:00.000Z", "09:30:00.000Z 09:44:00.000Z"]
    })
    assert.deepStrictEqual(apart("09:15:00", "09:15:01"), { whole: "", edges: ["09:15:00.000Z 09:15:01.000Z"] })
    assert.deepStrictEqual(apart("09:15:00", "09:15:00"), { whole: "", edges: [] })
  })
})
