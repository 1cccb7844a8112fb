import { assert, describe, it } from "vitest"
import { isAutomaticReply } from "../../../src/email/receiving/AutomaticReply.js"

const automatic: ReadonlyArray<readonly [name: string, value: string]> = [
  ["auto-submitted", "auto-replied"],
  ["auto-submitted", "auto-generated"],
  ["auto-submitted", 'auto-notified; owner-email="ada@example.com"'],
  ["auto-submitted", "  Auto-Replied (vacation)"],
  ["auto-submitted", "something-of-tomorrow"],
  ["precedence", "bulk"],
  ["precedence", "Junk"],
  ["precedence", "list"],
  ["precedence", "auto_reply"],
  ["x-auto-response-suppress", "All"],
  ["x-auto-response-suppress", "DR, RN, NRN, OOF, AutoReply"],
  ["x-autoreply", "yes"],
  ["x-autorespond", "Re: Hello"],
  ["x-autoresponder", "1"],
  ["x-auto-reply-from", "ada@example.com"],
  ["x-mail-autoreply", "true"],
  ["list-id", "Friends of the sea <sea.example.com>"]
]

const personal: ReadonlyArray<readonly [name: string, value: string]> = [
  ["auto-submitted", "no"],
  ["auto-submitted", "No (a person wrote this)"],
  ["auto-submitted", "no; x=y"],
  ["auto-submitted", ""],
  ["precedence", "first-class"],
  ["precedence", "normal"],
  ["x-auto-response-suppress", "None"],
  ["x-auto-response-suppress", ""],
  ["x-autoreply", "no"],
  ["subject", "Auto-Submitted: auto-replied"],
  ["x-mailer", "bulk"],
  ["list-unsubscribe", "<mailto:leave@example.com>"]
]

describe("A mail that came in", () => {
  it.each(automatic)("is automatic by %s: %s", (name, value) => {
    assert.isTrue(isAutomaticReply({ mailFrom: "ada@example.com", headers: [{ name, value }] }))
  })

  it.each(personal)("is a person's with %s: %s", (name, value) => {
    assert.isFalse(isAutomaticReply({ mailFrom: "ada@example.com", headers: [{ name, value }] }))
  })

  it("is automatic if nobody is to hear of its failure", () => {
    for (const mailFrom of ["", "<>", " "]) assert.isTrue(isAutomaticReply({ mailFrom, headers: [] }))
    assert.isFalse(isAutomaticReply({ mailFrom: "<ada@example.com>", headers: [] }))
  })

  it("is automatic by one sign, whatever else it says", () => {
    const headers = [
      { name: "auto-submitted", value: "no" },
      { name: "precedence", value: "bulk" }
    ]
    assert.isTrue(isAutomaticReply({ mailFrom: "ada@example.com", headers }))
  })
})
