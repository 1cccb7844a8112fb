import { readArf } from "@switchboard/domain/email/feedback/Arf"
import { fieldOf, readFieldGroups } from "@switchboard/domain/email/feedback/ReportFields"
import { assert, describe, it } from "vitest"

describe("The fields of a report", () => {
  it("are unfolded", () => {
    const [fields = []] = readFieldGroups("One: a\r\n b\r\n\t c \r\nTwo:\r\n d\r\nThree :\r\n")
    assert.deepStrictEqual(fields, [
      { name: "one", value: "a b c" },
      { name: "two", value: "d" },
      { name: "three", value: "" }
    ])
  })

  it("ignore continuation lines before the first field", () => {
    assert.deepStrictEqual(readFieldGroups(" a\r\nno field\r\n b\r\n"), [])
  })

  it("are unfolded over a large number of lines", () => {
    const folded = `X: a\r\n${" bcd\r\n".repeat(120_000)}`
    const [fields = []] = readFieldGroups(folded)
    assert.lengthOf(fieldOf(fields, "x"), 1 + 120_000 * 4)
  })

  it("can have thousands of recipients", () => {
    const content = Buffer.from(
      `Feedback-Type: abuse\r\n${Array.from({ length: 9_000 }, (_, index) => `Original-Rcpt-To: a${index}@b.c\r\n`).join("")}`
    )
    const part = { contentType: "message/feedback-report", content }
    const report = readArf([part, part])
    assert.strictEqual(report._tag === "Some" ? report.value.recipients.length : 0, 9_000)
  })
})
