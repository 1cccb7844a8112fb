import { assert, describe, it } from "@effect/vitest"
import { unparsedMail } from "@switchboard/services/email/receiving/ProcessInbound"

const read = (text: string) => unparsedMail(new TextEncoder().encode(text), "too deep")

describe("unparsedMail", () => {
  it("parses the header fields", () => {
    const mail = read(
      [
        "Received: from mx.example.com",
        'From: "Ada, the first" <ada@example.com>',
        "To: help@desk.test,",
        "\tBob <bob@desk.test>",
        "Message-ID: <1@example.com>",
        "In-Reply-To: <0@desk.test>",
        "References: <a@desk.test>",
        " <0@desk.test> nonsense",
        "SUBJECT: Hello",
        " again",
        "",
        "Subject: not this"
      ].join("\r\n")
    )
    assert.strictEqual(mail.subject, "Hello again")
    assert.strictEqual(mail.from.address, "ada@example.com")
    assert.deepStrictEqual(
      mail.to.map(({ address }) => address),
      ["help@desk.test", "bob@desk.test"]
    )
    assert.strictEqual(mail.messageId, "<1@example.com>")
    assert.deepStrictEqual(mail.inReplyTo, ["<0@desk.test>"])
    assert.deepStrictEqual(mail.references, ["<a@desk.test>", "<0@desk.test>"])
    assert.lengthOf(mail.headers, 7)
  })

  it("limits and sanitizes any input", () => {
    for (const text of ["", "\r\n\r\n", "no header at all", "\0\0\0", "😀".repeat(100_000), ":::\n".repeat(10_000)]) {
      assert.strictEqual(read(text).subject, "")
    }
    const long = read(`Subject: a\0b${"😀".repeat(5_000)}\n${"X-Field: 1\n".repeat(5_000)}\n`)
    assert.isAtMost(long.subject.length, 1_000)
    assert.isFalse(/\0|[\ud800-\udbff]$/.test(long.subject))
    assert.isAtMost(long.headers.length, 200)
  })
})
