import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { inboundFixture } from "./InboundFixture.js"

/** Sequences that some servers accept as the end of data (SMTP smuggling, such as CVE-2023-51764). */
const falseEnds = [
  "\n.\n",
  "\n.\r\n",
  "\n.\r",
  "\r.\r",
  "\r.\r\n",
  "\r.\n",
  "\r\n.\n",
  "\r\n.\r",
  "\n\n.\r\n",
  "\r\r\n.\r\r\n",
  "\r\n\n.\r\n",
  "\r\n.\r\r\n",
  "\n.\r\n\n",
  "\r\n.\n\r\n"
]

/** Similar sequences without a bare CR or LF, which are valid content. */
const harmless = ["\r\n\0.\r\n", "\r\n.\0\r\n", "\r\n .\r\n", "\r\n..\r\n"]

const second = [
  "MAIL FROM:<boss@shop.test>",
  "RCPT TO:<support@shop.test>",
  "DATA",
  "Subject: The second",
  "",
  "Smuggled",
  ""
].join("\r\n")

describe("InboundServer against SMTP smuggling", () => {
  it.scopedLive("refuses a mail with a false end of data, at every split into packets", () =>
    Effect.gen(function* () {
      const { beginData, connect, stored, writeInOwnPacket } = yield* inboundFixture()
      for (const end of falseEnds) {
        const smuggle = (cut: number) =>
          Effect.gen(function* () {
            const client = yield* connect
            yield* beginData(client)
            yield* writeInOwnPacket(client, `Subject: The first\r\n\r\nHello${end.slice(0, cut)}`)
            yield* client.writeAll(`${end.slice(cut)}${second}`)
            assert.match(yield* client.sendLine("."), /^550 5\.6\.0 /, JSON.stringify(end))
            // There is only one reply, and the session continues.
            assert.match(yield* client.sendLine("NOOP"), /^250 2\.0\.0 OK/)
          })
        yield* Effect.forEach([0, 1, 2, end.length], (cut) => Effect.scoped(smuggle(cut)), { concurrency: "unbounded" })
      }
      assert.isEmpty(stored)
    })
  )

  it.scopedLive("accepts harmless sequences as content", () =>
    Effect.gen(function* () {
      const { beginData, connect, stored } = yield* inboundFixture()
      for (const end of harmless) {
        const client = yield* connect
        yield* beginData(client)
        client.write(`Subject: The first\r\n\r\nHello${end}${second}`)
        assert.match(yield* client.sendLine("."), /^250 /)
        assert.match(yield* client.sendLine("NOOP"), /^250 2\.0\.0 OK/)
        assert.include(Buffer.from(stored.at(-1)?.[0]?.raw ?? []).toString(), "Smuggled")
      }
      assert.lengthOf(stored, harmless.length)
    })
  )

  it.scopedLive("disconnects at a command that does not end with CRLF", () =>
    Effect.gen(function* () {
      const { connect, stored } = yield* inboundFixture()
      for (const lineEnd of ["\n", "\r", "\n\r", "\r\r\n"]) {
        for (const commands of [
          ["MAIL FROM:<ada@example.com>", "RCPT TO:<support@shop.test>", "DATA", ".", ""],
          [`NOOP${lineEnd}MAIL FROM:<ada@example.com>`, ""]
        ]) {
          const client = yield* connect
          yield* client.writeAll(commands.join(lineEnd))
          yield* client.writeAll("\r\n")
          assert.match(yield* client.reply, /^521 5\.5\.2 /, JSON.stringify(lineEnd))
          yield* client.ended
        }
      }
      assert.isEmpty(stored)
    })
  )

  it.scopedLive("checks pipelined mails that are sent before the reply to DATA", () =>
    Effect.gen(function* () {
      const { connect, stored } = yield* inboundFixture()
      const client = yield* connect
      yield* client.writeAll(`${second}.\r\n${second}.\r\n`)
      for (const expected of [/^250/, /^250/, /^354/, /^250/, /^250/, /^250/, /^354/, /^250/]) {
        assert.match(yield* client.reply, expected)
      }
      assert.lengthOf(stored, 2)
      yield* client.writeAll(`${second}\n.\r\n${second}.\r\n`)
      assert.match(yield* client.reply, /^521 5\.5\.2 /)
      assert.lengthOf(stored, 2)
    })
  )
})
