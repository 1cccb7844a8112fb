import { assert, describe, it } from "@effect/vitest"
import { mailTrace } from "@switchboard/channels/email/receiving/MailTrace"
import { mailLimits } from "@switchboard/channels/email/receiving/reading/MimeHeader"
import { bytes, lines } from "./Corpus.js"

const hop = "Received: from a by b; Monday"

describe("mailTrace", () => {
  it("reads the header, not the body", () => {
    const { hops, messageId } = mailTrace(
      bytes(lines(hop, "Received: from c\r\n\tby a", "Message-ID:", " <1@example.com>", "", hop))
    )
    assert.deepStrictEqual({ hops, messageId }, { hops: 2, messageId: "<1@example.com>" })
  })

  it("searches at most the maximum header size", () => {
    const padded = (octets: number) => bytes(lines(hop, `X-Pad: ${"x".repeat(octets)}`, hop, "", "Hello"))
    assert.strictEqual(mailTrace(padded(mailLimits.headerBytes - 100)).hops, 2)
    assert.strictEqual(mailTrace(padded(mailLimits.headerBytes)).hops, 1)
  })

  it("returns all octets except the trace fields", () => {
    const raw = bytes(
      lines(hop, "Subject: Hello", hop, `X-Pad: ${"x".repeat(mailLimits.headerBytes)}`, hop, "", "Hello")
    )
    assert.strictEqual(
      Buffer.concat(mailTrace(raw).withoutTrace).toString("latin1"),
      raw.toString("latin1").replace(`${hop}\r\nSubject: Hello\r\n${hop}\r\n`, "Subject: Hello\r\n")
    )
  })
})
