import { type PlainMail, readPlainBounce } from "@switchboard/domain/email/feedback/PlainBounce"
import { Option } from "effect"
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

const told = (given: Partial<PlainMail>) =>
  Option.map(readPlainBounce(mail(given)), (report) =>
    report.map(({ addresses, response }) => `${addresses[0] ?? ""} ${response}`)
  )

describe("A bounce in no standard form", () => {
  for (const [name, { expected, from, headers = [], subject, text }] of Object.entries(bounces)) {
    it(`is understood: ${name}`, () => {
      assert.deepStrictEqual(told({ from, headers, subject, text }), Option.some(expected))
      assert.deepStrictEqual(told({ from, headers, subject, text: text.replace(/\n/g, "\r\n") }), Option.some(expected))
    })
  }

  for (const [name, given] of Object.entries(others)) {
    it(`is not: ${name}`, () => {
      assert.deepStrictEqual(told(given), Option.none())
    })
  }

  it("is written by a mail system: it has no reverse-path, or comes from a postmaster", () => {
    const text = "ada@example.com: 550 5.1.1 No such user"
    for (const [mailFrom, from] of [
      ["", "somebody@example.com"],
      ["<>", "somebody@example.com"],
      ["postmaster@example.com", "somebody@example.com"],
      ["somebody@example.com", "MAILER-DAEMON@example.com"],
      ["somebody@example.com", "Mailer-Daemon"]
    ] as const) {
      assert.isTrue(Option.isSome(told({ mailFrom, from, text })), `${mailFrom} ${from}`)
    }
    for (const from of ["somebody@example.com", "not-postmaster@example.com", "postmasters@example.com"]) {
      assert.isTrue(Option.isNone(told({ mailFrom: from, from, text })), from)
    }
  })

  it("takes no longer to read than it is long", () => {
    const started = performance.now()
    for (const piece of ["a", "5", "550 ", "@", "5.", "said ", "(", "delivery ", " ", "ada@example.com ", "\n"]) {
      told({ text: piece.repeat(500_000), subject: piece.repeat(100_000) })
    }
    assert.isBelow(performance.now() - started, 2_000)
  })
})
