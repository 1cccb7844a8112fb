import { assert, describe, it } from "@effect/vitest"
import { dataEnd, mailData } from "@switchboard/channels/smtp/client/SmtpMail"
import { atOnce } from "@switchboard/services/Slices"

const latin1 = (text: string) => Buffer.from(text, "latin1")

/** The octets after DATA, and the declared size. */
const written = (mail: string) => {
  const data = atOnce(mailData(latin1(mail)))
  return [`${Buffer.from(data.octets).toString("latin1")}${dataEnd(data, "")}`, data.size]
}

const mails: ReadonlyArray<readonly [what: string, mail: string, written: string, size: number]> = [
  ["an empty mail", "", ".\r\n", 0],
  ["a plain mail", "a\r\nb\r\n", "a\r\nb\r\n.\r\n", 6],
  ["a last line without CRLF", "a\r\nb", "a\r\nb\r\n.\r\n", 6],
  ["leading dots", ".\r\n..a\r\nb.\r\n", "..\r\n...a\r\nb.\r\n.\r\n", 12],
  ["a last line that is a dot", "a\r\n.", "a\r\n..\r\n.\r\n", 6],
  ["bare LF", "a\n.\nb\n\n", "a\r\n..\r\nb\r\n\r\n.\r\n", 11],
  ["bare CR", "a\r.\rb\r\r", "a\r\n..\r\nb\r\n\r\n.\r\n", 11],
  ["LF CR", "a\n\rb", "a\r\n\r\nb\r\n.\r\n", 8],
  [
    "an end of data smuggled with bare line ends",
    "a\n.\r\nMAIL FROM:<x>\r.\n",
    "a\r\n..\r\nMAIL FROM:<x>\r\n..\r\n.\r\n",
    24
  ]
]

describe("mailData", () => {
  for (const [what, mail, octets, size] of mails) {
    it(`writes ${what}`, () => assert.deepStrictEqual(written(mail), [octets, size]))
  }

  it("reports whether the mail needs 8BITMIME", () => {
    assert.isFalse(atOnce(mailData(latin1("a\x7f"))).hasEighthBit)
    assert.isTrue(atOnce(mailData(latin1("a\x80b"))).hasEighthBit)
  })

  it("does not copy a mail that needs no change", () => {
    const mail = latin1("Subject: a\r\n\r\nb\r\n")
    assert.strictEqual(atOnce(mailData(mail)).octets, mail)
  })
})
