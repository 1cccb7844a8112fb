import { readArf } from "@switchboard/domain/email/feedback/Arf"
import { fieldOf, readFieldGroups } from "@switchboard/domain/email/feedback/ReportFields"
import { assert, describe, it } from "vitest"

describe("The fields of a report", () => {
  it("are unfolded, however a line is folded", () => {
    const [fields = []] = readFieldGroups("One: a\r\n b\r\n\t c \r\nTwo:\r\n d\r\nThree :\r\n")
    assert.deepStrictEqual(fields, [
      { name: "one", value: "a b c" },
      { name: "two", value: "d" },
      { name: "three", value: "" }
    ])
  })

  it("belong to nothing where they are folded before the first", () => {
    assert.deepStrictEqual(readFieldGroups(" a\r\nno field\r\n b\r\n"), [])
  })

  it("are read when they are folded into many lines", () => {
    const folded = `X: a\r\n${" bcd\r\n".repeat(120_000)}`
    const [fields = []] = readFieldGroups(folded)
    assert.lengthOf(fieldOf(fields, "x"), 1 + 120_000 * 4)
  })

  it("may name very many recipients", () => {
    const content = Buffer.from(
      `Feedback-Type: abuse\r\n${Array.from({ length: 9_000 }, (_, index) => `Original-Rcpt-To: a${index}@b.c\r\n`).join("")}`
    )
    const part = { contentType: "message/feedback-report", content }
    const report = readArf([part, part])
    assert.strictEqual(report._tag === "Some" ? report.value.recipients.length : 0, 9_000)
  })
})
