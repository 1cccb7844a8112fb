import { type ReportMail, readReport } from "@switchboard/domain/email/feedback/ReadReport"
import { assert, describe, it } from "vitest"

const part = (contentType: string, text: string) => ({ contentType, content: new TextEncoder().encode(text) })
const status = (text: string) => part("message/delivery-status", text)
const both = ["ada@example.com", "bob@example.com"]

const read = (given: Partial<ReportMail>, recipients: ReadonlyArray<string> = ["ada@example.com"]) =>
  readReport(
    {
      mailFrom: "",
      from: "mailer-daemon@mx.example.com",
      headers: [],
      subject: "Undelivered",
      text: "",
      parts: [],
      ...given
    },
    recipients
  ).map(({ action, addresses, reason }) => `${addresses.join()} ${action} ${reason}`)

const generic = (recipient: string) => `Final-Recipient: rfc822;${recipient}\nAction: failed\nStatus: 5.0.0\n\n`

describe("A report", () => {
  it("gets the reason from the text where its part has none, for the same recipient", () => {
    const text = "ada@example.com: 550 5.1.1 No such user\n\nbob@example.com: 552 5.2.2 Mailbox full\n"
    assert.deepStrictEqual(read({ text, parts: [status(generic("ada@example.com"))] }, both), [
      "ada@example.com failed user_unknown"
    ])
    assert.deepStrictEqual(
      read({ text, parts: [status(generic("bob@example.com") + generic("ada@example.com"))] }, both),
      ["bob@example.com failed mailbox_full", "ada@example.com failed user_unknown"]
    )
  })

  it("keeps the reason of its part, and a delay is none", () => {
    const text = "ada@example.com: 550 5.1.1 No such user"
    const full = status("Final-Recipient: rfc822;ada@example.com\nAction: failed\nStatus: 5.2.2\n")
    assert.deepStrictEqual(read({ text, parts: [full] }), ["ada@example.com failed mailbox_full"])
    const delayed = status("Final-Recipient: rfc822;ada@example.com\nAction: delayed\nStatus: 4.4.1\n")
    assert.deepStrictEqual(read({ text, parts: [delayed] }), ["ada@example.com delayed network"])
  })

  it("is read from the text without a usable part", () => {
    const text = "ada@example.com: 550 5.1.1 No such user"
    assert.deepStrictEqual(read({ text, parts: [status("Reporting-MTA: dns;x\n")] }), [
      "ada@example.com failed user_unknown"
    ])
  })

  it("is no read receipt, and nothing in the returned message", () => {
    const text = "Your message was not delivered"
    assert.deepStrictEqual(
      read({ text, parts: [part("message/disposition-notification", "Disposition: deleted")] }),
      []
    )
    const returned = part("message/rfc822", "Subject: Hi\n\nada@example.com: 550 5.1.1 No such user")
    assert.deepStrictEqual(read({ text, parts: [returned] }), ["ada@example.com failed unknown"])
  })

  it("names no recipient that the message did not have", () => {
    const text = "Delivery failed:\n\neve@example.com: 550 5.1.1 No such user\n"
    assert.deepStrictEqual(read({ text }, both), [])
  })
})
