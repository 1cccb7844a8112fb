import { assert, describe, it } from "@effect/vitest"
import { submittedHeader } from "@switchboard/channels/email/submission/SubmittedHeader"

const at = new Date("2026-11-30T08:00:00Z")

const completed = (...lines: ReadonlyArray<string>) => {
  const header = submittedHeader(Buffer.from(lines.join("\r\n"), "latin1"))
  const { messageId, octets } = header.complete(at)
  return { header, messageId, text: octets.toString("latin1") }
}

describe("The header of a submitted mail", () => {
  it("stays as it came, without the fields that do not go out", () => {
    const { header, messageId, text } = completed(
      "Return-Path: <other@shop.test>",
      "X-Custom:  two  spaces\r\n\tfolded",
      "From: Ada <ada@shop.test>",
      "BCC: hidden@world.test,\r\n also@world.test",
      "X-Switchboard-Tags: welcome,\r\n today",
      "Date: Mon, 30 Nov 2026 07:00:00 +0000",
      "Message-ID: <1@shop.test>",
      "mime-version: 1.0",
      "Subject: caf\xe9",
      "",
      "Bcc: in the body",
      ""
    )
    assert.strictEqual(
      text,
      [
        "X-Custom:  two  spaces\r\n\tfolded",
        "From: Ada <ada@shop.test>",
        "Date: Mon, 30 Nov 2026 07:00:00 +0000",
        "Message-ID: <1@shop.test>",
        "mime-version: 1.0",
        "Subject: caf\xe9",
        "",
        "Bcc: in the body",
        ""
      ].join("\r\n")
    )
    assert.strictEqual(messageId, "<1@shop.test>")
    assert.deepStrictEqual(header.own, { tags: "welcome, today" })
    assert.deepStrictEqual(header.authors, [{ name: "Ada", address: "ada@shop.test" }])
  })

  it("gets Date, Message-ID and MIME-Version where they are missing (RFC 6409 section 8)", () => {
    const { header, messageId, text } = completed("From: ada@shop.test", "Message-ID: none", "", "Hello")
    assert.isNull(header.messageId)
    assert.match(messageId, /^<[0-9a-f-]{36}@shop\.test>$/)
    assert.strictEqual(
      text,
      [
        "Date: Mon, 30 Nov 2026 08:00:00 +0000",
        `Message-ID: ${messageId}`,
        "MIME-Version: 1.0",
        "From: ada@shop.test",
        "",
        "Hello"
      ].join("\r\n")
    )
  })

  it("decodes fields for the service, and replaces a Message-ID with octets beyond ASCII", () => {
    const utf8 = Buffer.from("größe").toString("latin1")
    const { header, messageId, text } = completed(
      "From: ada@shop.test",
      `X-Switchboard-Tags: ${utf8}, =?UTF-8?B?ZsO8cg==?=`,
      `Message-ID: <${utf8}@shop.test>`,
      "",
      ""
    )
    assert.deepStrictEqual(header.own, { tags: "größe, für" })
    assert.isTrue(header.hasEighthBit)
    assert.isFalse(completed("From: ada@shop.test", "", utf8).header.hasEighthBit)
    assert.isNull(header.messageId)
    assert.include(text, `Message-ID: ${messageId}\r\n`)
    assert.notInclude(text, utf8)
  })

  it("may have no body, and lines without a name", () => {
    assert.match(completed("From: ada@shop.test", "no name", "").text, /From: ada@shop\.test\r\nno name\r\n\r\n$/)
  })

  it("names all authors and counts the hops", () => {
    const { header } = completed(
      "Received: from a by b",
      "Received: from c by d",
      "From: a@shop.test, b@shop.test",
      "From: c@shop.test",
      "",
      ""
    )
    assert.deepStrictEqual(
      header.authors.map(({ address }) => address),
      ["a@shop.test", "b@shop.test", "c@shop.test"]
    )
    assert.strictEqual(header.hops, 2)
  })
})
