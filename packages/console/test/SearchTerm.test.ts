import { idIn } from "@switchboard/console/app/SearchTerm"
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
