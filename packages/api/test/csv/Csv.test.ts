import { assert, describe, it } from "@effect/vitest"
import { csvRows } from "@switchboard/api/csv/Csv"

describe("A cell of CSV", () => {
  it("is escaped if it begins like a formula", () => {
    for (const sign of ["=", "+", "-", "@", "\t", "\r", "\n", " =", "\u00a0=", "＝", "＋", "－", "＠"]) {
      const cell = csvRows([[`${sign}cmd|' /C calc'!A0`]])
      assert.match(cell, /^"?'/, JSON.stringify(sign))
    }
  })

  it("is also escaped if it is quoted", () => {
    assert.strictEqual(
      csvRows([['=HYPERLINK("http://x.test","y")', "a,b", 'c"d', "e\nf"]]),
      `"'=HYPERLINK(""http://x.test"",""y"")","a,b","c""d","e\nf"\r\n`
    )
  })

  it("is unchanged otherwise", () => {
    assert.strictEqual(
      csvRows([["ada@example.com", "0.0004", "2026-11-20", "'quoted'", ""]]),
      "ada@example.com,0.0004,2026-11-20,'quoted',\r\n"
    )
  })
})
