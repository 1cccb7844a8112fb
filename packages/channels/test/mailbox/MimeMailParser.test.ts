import { assert, describe, it } from "@effect/vitest"
import { MimeMailParser } from "@switchboard/channels/mailbox/MimeMailParser"
import { MailParser } from "@switchboard/services/mailbox/MailboxRepo"
import { Effect } from "effect"
import { outgoing, transportTo } from "../Fixtures.js"
import { smtpSink } from "../SmtpSink.js"

const parse = (raw: Uint8Array) =>
  Effect.flatMap(MailParser, ({ parse }) => parse(raw)).pipe(Effect.provide(MimeMailParser))

const empty = {
  from: "",
  to: [],
  cc: [],
  replyTo: [],
  subject: "",
  headers: [],
  text: null,
  html: null,
  attachments: []
}

describe("MimeMailParser", () => {
  it.scoped("parses a mail of SmtpTransport", () =>
    Effect.gen(function* () {
      const sink = yield* smtpSink()
      const transport = yield* transportTo(sink.port)
      yield* transport.send(
        outgoing({
          to: ["ada@example.org", "bo@example.org"],
          cc: ["cy@example.org"],
          replyTo: [{ address: "back@example.com" }, { address: "too@example.com" }],
          subject: "Grüße",
          headers: { "X-Campaign": "spring" },
          attachments: [
            { filename: "ä.bin", contentType: "application/zip", contentId: null, content: new Uint8Array(777) }
          ]
        })
      )
      const { headers, html, text, ...mail } = yield* parse(sink.mails[0]?.raw ?? assert.fail("no mail received"))
      assert.deepStrictEqual(mail, {
        from: "shop@example.com",
        to: ["ada@example.org", "bo@example.org"],
        cc: ["cy@example.org"],
        replyTo: ["back@example.com", "too@example.com"],
        subject: "Grüße",
        attachments: [{ filename: "ä.bin", contentType: "application/zip", size: 777 }]
      })
      assert.strictEqual(html?.trim(), "<p>Hello</p>")
      assert.strictEqual(text?.trim(), "Hello")
      assert.deepInclude(headers, { name: "X-Campaign", value: "spring" })
    })
  )

  it.effect("returns empty values for missing fields", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* parse(new Uint8Array()), empty)
      const { to } = yield* parse(Buffer.from("To: Team: a@example.org, b@example.org;, c@example.org\r\n\r\n"))
      assert.deepStrictEqual(to, ["a@example.org", "b@example.org", "c@example.org"])
    })
  )

  it.effect("returns an empty mail for an unparsable one", () =>
    Effect.gen(function* () {
      const nested = Array.from(
        { length: 300 },
        (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`
      )
      assert.deepStrictEqual(yield* parse(Buffer.from(nested.join(""))), empty)
    })
  )
})
