import { type PlainMail, readPlainBounce } from "@switchboard/domain/email/feedback/ReadReport"
import { assert, describe, it } from "vitest"
import { bounces, others } from "./Bounces.js"

const mail = (given: Partial<PlainMail>): PlainMail => ({
  mailFrom: "",
  from: "mailer-daemon@mx.example.com",
  headers: [],
  subject: "Undeliverable",
  text: "",
  ...given
})

const bounceReport = (given: Partial<PlainMail>, recipients: ReadonlyArray<string> = ["ada@example.com"]) =>
  readPlainBounce(mail(given), recipients).map(
    ({ addresses, reason, response }) => `${addresses.join()} ${reason} ${response}`
  )

describe("A bounce in words", () => {
  for (const [name, { expected, from, headers = [], recipients, subject, text }] of Object.entries(bounces)) {
    it(`is parsed: ${name}`, () => {
      const to = recipients ?? expected.map((line) => line.split(" ", 1)[0] ?? "")
      assert.deepStrictEqual(bounceReport({ from, headers, subject, text }, to), expected)
      assert.deepStrictEqual(bounceReport({ from, headers, subject, text: text.replace(/\n/g, "\r\n") }, to), expected)
    })
  }

  for (const [name, given] of Object.entries(others)) {
    it(`is not detected in ${name}`, () => {
      assert.deepStrictEqual(bounceReport(given), [])
    })
  }

  it("is accepted only from a mail system: with an empty reverse-path or from a postmaster", () => {
    const text = "ada@example.com: 550 5.1.1 No such user"
    for (const [mailFrom, from] of [
      ["", "bob@example.com"],
      ["<>", "bob@example.com"],
      ["postmaster@example.com", "bob@example.com"],
      ["bob@example.com", "MAILER-DAEMON@example.com"],
      ["bob@example.com", "Mailer-Daemon"]
    ] as const) {
      assert.lengthOf(bounceReport({ mailFrom, from, text }), 1, `${mailFrom} ${from}`)
    }
    for (const from of ["bob@example.com", "not-postmaster@example.com", "postmasters@example.com"]) {
      assert.lengthOf(bounceReport({ mailFrom: from, from, text }), 0, from)
    }
  })

  // Quadratic time would exceed the deadline of the test by far.
  it("is not detected in long texts of one piece", () => {
    for (const piece of ["a", "5", "550 ", "@", "5.", "said ", "(", "delivery ", " ", "ada@example.com ", "\n"]) {
      assert.deepStrictEqual(bounceReport({ text: piece.repeat(500_000), subject: piece.repeat(100_000) }), [], piece)
    }
  })
})
