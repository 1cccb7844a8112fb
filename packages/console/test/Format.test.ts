import { idIn, relativeTime } from "@switchboard/console/components/Format"
import { assert, describe, it } from "vitest"

const id = "01a223b1-966a-77e6-b367-bbca3effd9f6"

describe("The text of a search", () => {
  it.each([
    [id, id],
    [` ${id.toUpperCase()} `, id],
    [`<${id}@bounce.example.com>`, id],
    [`${id}@bounce.example.com`, id],
    [`r+${id}@example.com`, undefined],
    ["01a223b1-966a-97e6-b367-bbca3effd9f6", undefined],
    ["order-7", undefined]
  ])("%j has the id %s", (text, expected) => {
    assert.strictEqual(idIn(text), expected)
  })
})

const now = Date.parse("2026-11-28T12:00:00Z")

describe("A time relative to now", () => {
  it.each([
    { seconds: -90, isUpcoming: false, text: "1 min. ago" },
    { seconds: -5, isUpcoming: false, text: "just now" },
    // The clock of the browser is behind that of the service.
    { seconds: 5, isUpcoming: false, text: "just now" },
    { seconds: 7_200, isUpcoming: false, text: "just now" },
    { seconds: 5, isUpcoming: true, text: "in a moment" },
    { seconds: 7_200, isUpcoming: true, text: "in 2 hr." },
    { seconds: -90, isUpcoming: true, text: "now" }
  ])("$seconds seconds ahead is $text if it is planned: $isUpcoming", ({ isUpcoming, seconds, text }) => {
    assert.strictEqual(relativeTime(new Date(now + seconds * 1_000), now, isUpcoming), text)
  })
})
