import { readArf } from "@switchboard/domain/email/feedback/Arf"
import { Option } from "effect"
import { assert, describe, it } from "vitest"

const part = (contentType: string, text: string) => ({
  contentType,
  content: new TextEncoder().encode(text.replace(/\n/g, "\r\n"))
})

const fields = `Feedback-Type: abuse
User-Agent: SomeGenerator/1.0
Version: 1
Original-Mail-From: <b+x@bounce.example.org>
Original-Rcpt-To: <Ada@example.com>
Arrival-Date: Thu, 1 Jan 2026 00:00:00 +0000
Source-IP: 192.0.2.1
`

const original = `From: <news@example.org>
To: Ada <ada@example.com>
Feedback-ID: one:two:
 three:switchboard

Feedback-ID: not:the:header
`

describe("A feedback report", () => {
  it("returns the recipients and the header of the enclosed message", () => {
    for (const type of ["message/rfc822", "text/rfc822-headers", "Message/RFC822; name=mail.eml"]) {
      const report = Option.getOrThrow(
        readArf([part("message/feedback-report", fields), part("text/plain", "Hello"), part(type, original)])
      )
      assert.strictEqual(report.feedbackType, "abuse")
      assert.strictEqual(report.kind, "complaint")
      assert.deepStrictEqual(report.recipients, ["Ada@example.com"])
      assert.deepStrictEqual(report.original, [
        { name: "from", value: "<news@example.org>" },
        { name: "to", value: "Ada <ada@example.com>" },
        { name: "feedback-id", value: "one:two: three:switchboard" }
      ])
    }
  })

  it("is a complaint or an opt-out by its Feedback-Type", () => {
    const kindOf = (type: string) =>
      Option.getOrThrow(readArf([part("message/feedback-report", `FEEDBACK-TYPE:  ${type}\nVersion: 1\n`)])).kind
    for (const type of ["abuse", "fraud", "virus", "other", "Abuse"])
      assert.strictEqual(kindOf(type), "complaint", type)
    for (const type of ["opt-out", "Opt-Out-List"]) assert.strictEqual(kindOf(type), "optOut", type)
    for (const type of ["not-spam", "auth-failure", "", "something"]) assert.strictEqual(kindOf(type), "other", type)
  })

  it("can have several recipients or none", () => {
    const recipients = (text: string) => Option.getOrThrow(readArf([part("message/feedback-report", text)])).recipients
    assert.deepStrictEqual(
      recipients("Feedback-Type: abuse\nOriginal-Rcpt-To: ada@example.com\nOriginal-Rcpt-To: rfc822;bob@example.com\n"),
      ["ada@example.com", "bob@example.com"]
    )
    assert.deepStrictEqual(recipients("Feedback-Type: abuse\nOriginal-Rcpt-To: redacted\n"), [])
  })

  it("is not detected without its MIME part", () => {
    assert.isTrue(Option.isNone(readArf([part("text/plain", fields), part("message/rfc822", original)])))
  })
})
