import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { inboundHouse } from "./InboundHouse.js"

/** What some server somewhere takes for the end of a mail (SMTP smuggling, CVE-2023-51764 and its like). */
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

/** The same with octets that are no line breaks: content like any other. */
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

describe("A second mail in the first", () => {
  for (const end of falseEnds) {
    it.scopedLive(`is not smuggled by ${JSON.stringify(end)}`, () =>
      Effect.gen(function* () {
        const { envelope, greeted, kept, pourApart } = yield* inboundHouse()
        // However it is cut into packets.
        const smuggle = (cut: number) =>
          Effect.gen(function* () {
            const client = yield* greeted
            yield* envelope(client)
            yield* pourApart(client, `Subject: The first\r\n\r\nHello${end.slice(0, cut)}`)
            yield* client.pour(`${end.slice(cut)}${second}`)
            assert.match(yield* client.say("."), /^550 5\.6\.0 /)
            // Nothing but that one answer came, and the session goes on.
            assert.match(yield* client.say("NOOP"), /^250 2\.0\.0 OK/)
          })
        yield* Effect.forEach([0, 1, 2, end.length], smuggle, { concurrency: "unbounded" })
        assert.isEmpty(kept)
      })
    )
  }

  it.scopedLive("is part of the first if nobody takes it for anything else", () =>
    Effect.gen(function* () {
      const { envelope, greeted, kept } = yield* inboundHouse()
      for (const end of harmless) {
        const client = yield* greeted
        yield* envelope(client)
        client.write(`Subject: The first\r\n\r\nHello${end}${second}`)
        assert.match(yield* client.say("."), /^250 /)
        assert.match(yield* client.say("NOOP"), /^250 2\.0\.0 OK/)
        assert.include(Buffer.from(kept.at(-1)?.[0]?.raw ?? []).toString(), "Smuggled")
      }
      assert.lengthOf(kept, harmless.length)
    })
  )

  for (const lineEnd of ["\n", "\r", "\n\r", "\r\r\n"]) {
    it.scopedLive(`is not begun by a command that ends with ${JSON.stringify(lineEnd)}`, () =>
      Effect.gen(function* () {
        const { greeted, kept } = yield* inboundHouse()
        for (const commands of [
          ["MAIL FROM:<ada@example.com>", "RCPT TO:<support@shop.test>", "DATA", ".", ""],
          [`NOOP${lineEnd}MAIL FROM:<ada@example.com>`, ""]
        ]) {
          const client = yield* greeted
          yield* client.pour(commands.join(lineEnd))
          yield* client.pour("\r\n")
          assert.match(yield* client.reply, /^521 5\.5\.2 /)
          yield* client.ended
        }
        assert.isEmpty(kept)
      })
    )
  }

  it.scopedLive("is not hidden in the data of a client that does not wait to be asked for it", () =>
    Effect.gen(function* () {
      const { greeted, kept } = yield* inboundHouse()
      const client = yield* greeted
      yield* client.pour(`${second}.\r\n${second}.\r\n`)
      for (const expected of [/^250/, /^250/, /^354/, /^250/, /^250/, /^250/, /^354/, /^250/]) {
        assert.match(yield* client.reply, expected)
      }
      assert.lengthOf(kept, 2)
      yield* client.pour(`${second}\n.\r\n${second}.\r\n`)
      assert.match(yield* client.reply, /^521 5\.5\.2 /)
      assert.lengthOf(kept, 2)
    })
  )
})
