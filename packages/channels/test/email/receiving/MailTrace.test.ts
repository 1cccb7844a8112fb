import { assert, describe, it } from "@effect/vitest"
import { mailTrace } from "@switchboard/channels/email/receiving/MailTrace"
import { mailLimits } from "@switchboard/channels/email/receiving/reading/MailLimits"
import { bytes, lines } from "./Corpus.js"

const hop = "Received: from a by b; Monday"

describe("The way of a mail", () => {
  it("is told by its header, and not by its body", () => {
    const { hops, messageId } = mailTrace(
      bytes(lines(hop, "Received: from c\r\n\tby a", "Message-ID:", " <1@example.com>", "", hop))
    )
    assert.deepStrictEqual({ hops, messageId }, { hops: 2, messageId: "<1@example.com>" })
  })

  it("is looked for as far as headers go that can be read, and no further", () => {
    const padded = (octets: number) => bytes(lines(hop, `X-Pad: ${"x".repeat(octets)}`, hop, "", "Hello"))
    assert.strictEqual(mailTrace(padded(mailLimits.headerBytes - 100)).hops, 2)
    assert.strictEqual(mailTrace(padded(mailLimits.headerBytes)).hops, 1)
  })

  it("leaves every octet that was not added on the way", () => {
    const raw = bytes(
      lines(hop, "Subject: Hello", hop, `X-Pad: ${"x".repeat(mailLimits.headerBytes)}`, hop, "", "Hello")
    )
    assert.strictEqual(
      Buffer.concat(mailTrace(raw).untraced).toString("latin1"),
      raw.toString("latin1").replace(`${hop}\r\nSubject: Hello\r\n${hop}\r\n`, "Subject: Hello\r\n")
    )
  })
})
