import { type PlainComplaintMail, readPlainComplaint } from "@switchboard/domain/email/feedback/Arf"
import { Option } from "effect"
import { assert, describe, it } from "vitest"

const original = "X-HmXmrOriginalRecipient: <Ada@example.com>\r\nFeedback-ID: one:two:three:switchboard\r\n\r\nHello"

const enclosing = (text: string) => [{ contentType: "message/rfc822", content: new TextEncoder().encode(text) }]

const mail = (given: Partial<PlainComplaintMail>): PlainComplaintMail => ({
  addresses: ["eve@example.com", "eve@example.com", "support@shop.test"],
  headers: [],
  subject: "Is this yours?",
  parts: enclosing("Feedback-ID: one:two:three:switchboard\r\n\r\nHello"),
  ...given
})

describe("A complaint without a feedback report part", () => {
  it("has the recipient in the header field of Outlook's feedback loop", () => {
    const complaint = Option.getOrThrow(readPlainComplaint(mail({ parts: enclosing(original) })))
    assert.deepInclude(complaint, { kind: "complaint", feedbackType: "abuse", recipients: ["Ada@example.com"] })
    assert.deepInclude(complaint.original, { name: "feedback-id", value: "one:two:three:switchboard" })
    const headers = [{ name: "x-hmxmroriginalrecipient", value: "bob@example.com" }]
    assert.deepStrictEqual(Option.getOrThrow(readPlainComplaint(mail({ headers }))).recipients, ["bob@example.com"])
  })

  it("is detected by its subject, or by a complaint mailbox as sender or recipient", () => {
    const isComplaint = (given: Partial<PlainComplaintMail>) => Option.isSome(readPlainComplaint(mail(given)))
    assert.isTrue(isComplaint({ subject: "complaint about message from 192.0.2.1" }))
    for (const address of ["abuse@shop.test", "<FBL@shop.test>", "jmrp+1@shop.test", "complaints@example.com"]) {
      assert.isTrue(isComplaint({ addresses: [address] }), address)
    }
  })

  it("is not detected in a mail that a person forwards", () => {
    const isComplaint = (given: Partial<PlainComplaintMail>) => Option.isSome(readPlainComplaint(mail(given)))
    assert.isFalse(isComplaint({}))
    assert.isFalse(isComplaint({ subject: "Fwd: complaint about message from 192.0.2.1" }))
    assert.isFalse(isComplaint({ addresses: ["abused@shop.test", "no-abuse@shop.test"] }))
    assert.isFalse(isComplaint({ addresses: ["abuse@shop.test"], parts: [] }))
  })
})
