import { assert, describe, it } from "@effect/vitest"
import type { OutgoingMail } from "@switchboard/services/messages/delivery/MailTransport"
import { Effect } from "effect"
import PostalMime from "postal-mime"
import { messageId, outgoing, transportTo } from "../Fixtures.js"
import { smtpSink } from "../SmtpSink.js"

/** Sends a mail, and parses it as received with a library that the sender does not use. */
const received = (changes: Partial<OutgoingMail>) =>
  Effect.gen(function* () {
    const sink = yield* smtpSink()
    const transport = yield* transportTo(sink.port)
    yield* transport.send(outgoing(changes))
    const [mail = assert.fail("no mail received")] = sink.mails
    return {
      ...mail,
      text: mail.raw.toString("latin1"),
      parsed: yield* Effect.promise(() => PostalMime.parse(mail.raw))
    }
  })

const evil = "x\r\nBcc: evil@example.net\r\nX-Evil: 1\r\n\r\nbody"

describe("SmtpTransport.send", () => {
  it.scoped("transmits all fields, bodies and attachments", () =>
    Effect.gen(function* () {
      const subject = "Grüße aus Köln 🎉 ".repeat(20).trim()
      const file = { contentType: "image/png", content: Uint8Array.from({ length: 3000 }, (_, index) => index % 256) }
      const rcptTo = ["ada@example.org", "cy@example.org"]
      const { envelope, parsed } = yield* received({
        rcptTo,
        to: ["ada@example.org", "bo@xn--bcher-kva.example"],
        cc: ["cy@example.org"],
        replyTo: ["help@example.com", "sales@example.com"],
        subject,
        text: "Grüße\n.\n..\nFrom here",
        attachments: [
          { ...file, filename: "März.png", contentId: null },
          { ...file, filename: "logo.png", contentId: "logo" }
        ]
      })
      const addresses = (field: ReadonlyArray<{ readonly address?: string | undefined }> = []) =>
        field.map(({ address }) => address)
      assert.deepStrictEqual(addresses(parsed.to), ["ada@example.org", "bo@xn--bcher-kva.example"])
      assert.deepStrictEqual(addresses(parsed.cc), ["cy@example.org"])
      assert.deepStrictEqual(addresses(parsed.replyTo), ["help@example.com", "sales@example.com"])
      assert.strictEqual(parsed.text?.replaceAll("\r\n", "\n").trim(), "Grüße\n.\n..\nFrom here")
      assert.include(parsed, { subject, messageId: `<${messageId}@example.com>`, date: "2026-03-01T12:34:56.000Z" })
      assert.sameDeepMembers(
        parsed.attachments.map(({ content, contentId, disposition, filename }) => [
          [filename, disposition, contentId],
          content instanceof ArrayBuffer ? new Uint8Array(content) : content
        ]),
        [
          [["März.png", "attachment", undefined], file.content],
          [["logo.png", "inline", "<logo>"], file.content]
        ]
      )
      assert.deepStrictEqual(addresses(envelope.rcptTo), rcptTo)
    })
  )

  it.scoped("sends message/rfc822 and multipart attachments as application/octet-stream unless they are 7bit", () =>
    Effect.gen(function* () {
      const octets = (text: string) => new TextEncoder().encode(text)
      const file = (filename: string, contentType: string, content: Uint8Array) => ({
        filename,
        contentType,
        contentId: null,
        content
      })
      const plain = octets("Subject: Plain\r\n\r\n.\r\nHello\r\n")
      const files = [
        file("long.eml", "message/rfc822", octets(`Subject: Long\r\n\r\n${"x".repeat(5000)}`)),
        file("eight.eml", "Message/RFC822", octets("Subject: Eight\r\n\r\nGrüße")),
        file("unix.eml", "message/rfc822", octets("Subject: Unix\n\nHello\n")),
        file("mac.eml", "message/rfc822", octets("Subject: Mac\r\rHello\r")),
        file("nul.eml", "message/rfc822", octets("Subject: Nul\r\n\r\n\0")),
        file("parts.bin", "multipart/mixed", octets("--a\r\n\r\nHello\r\n--a--\r\n"))
      ]
      const { parsed, text } = yield* received({ attachments: [...files, file("plain.eml", "message/rfc822", plain)] })
      assert.isTrue(text.split("\r\n").every(({ length }) => length <= 998))
      assert.notMatch(text, /[\x80-\xff]/)
      assert.include(text, "Content-Type: message/rfc822; name=plain.eml")
      assert.include(text, "Subject: Plain\r\n\r\n.")
      for (const { content, filename } of files) {
        const found = parsed.attachments.find((one) => one.filename === filename)
        assert.strictEqual(found?.mimeType, "application/octet-stream", filename)
        const received = found?.content
        assert.deepStrictEqual(received instanceof ArrayBuffer ? new Uint8Array(received) : received, content, filename)
      }
    })
  )

  it.scoped("never discloses Bcc recipients", () =>
    Effect.gen(function* () {
      const { envelope, text } = yield* received({ rcptTo: ["ada@example.org", "secret@example.org"] })
      assert.lengthOf(envelope.rcptTo, 2)
      assert.notInclude(text, "secret@")
      assert.notMatch(text, /^bcc:/im)
    })
  )

  const injections: ReadonlyArray<readonly [string, Partial<OutgoingMail>]> = [
    ["a subject", { subject: evil }],
    ["a sender's name", { from: { name: evil, address: "shop@example.com" } }],
    ["a header value", { headers: { "X-Campaign": evil } }],
    ["a header name", { headers: { "X-Campaign: a\r\nBcc: evil@example.net\r\nX-Evil": "b" } }],
    [
      "a file name",
      { attachments: [{ filename: evil, contentType: "text/plain", contentId: null, content: new Uint8Array(3) }] }
    ],
    [
      "a Content-Type",
      { attachments: [{ filename: "a", contentType: evil, contentId: null, content: new Uint8Array(3) }] }
    ],
    [
      "a Content-ID",
      { attachments: [{ filename: "a", contentType: "image/png", contentId: evil, content: new Uint8Array(3) }] }
    ],
    ["a message id", { messageId: `<${evil}@example.com>` }]
  ]
  for (const [where, changes] of injections) {
    it.scoped(`prevents injection of header fields and recipients through line breaks in ${where}`, () =>
      Effect.gen(function* () {
        const { envelope, parsed, text } = yield* received(changes)
        assert.deepStrictEqual(
          envelope.rcptTo.map(({ address }) => address),
          ["ada@example.org"]
        )
        assert.notMatch(text, /^(bcc|x-evil):/im)
        assert.include(parsed.html ?? "", "<p>Hello</p>")
      })
    )
  }

  it.scoped("sends to each address unchanged, and returns the replies by address", () =>
    Effect.gen(function* () {
      const sink = yield* smtpSink()
      const transport = yield* transportTo(sink.port)
      const rcptTo = ["A.b+c=d/e{f}@example.org", "'x'@example.org", "bo@xn--bcher-kva.example"]
      const { replies } = yield* transport.send(outgoing({ rcptTo }))
      assert.deepStrictEqual(
        replies.map(({ recipient }) => recipient),
        rcptTo
      )
    })
  )

  it.scoped("does not send to a recipient that is injected through an address", () =>
    Effect.gen(function* () {
      const sink = yield* smtpSink()
      const transport = yield* transportTo(sink.port)
      for (const smuggled of ["a@example.org>,<evil@example.net", "a@example.org\r\nRCPT TO:<evil@example.net>"]) {
        yield* Effect.either(transport.send(outgoing({ rcptTo: ["ada@example.org", smuggled] })))
      }
      assert.notInclude(
        sink.mails.flatMap(({ envelope }) => envelope.rcptTo.map(({ address }) => address)),
        "evil@example.net"
      )
    })
  )

  it.scoped("requests DSNs for every recipient if notify is set, and always sends ENVID", () =>
    Effect.gen(function* () {
      const one = yield* received({ notify: true })
      assert.deepStrictEqual(one.envelope.dsn, { ret: "HDRS", envid: messageId })
      assert.deepStrictEqual(one.envelope.rcptTo[0]?.dsn, {
        notify: ["SUCCESS", "FAILURE", "DELAY"],
        orcpt: "rfc822;ada@example.org"
      })
      const two = yield* received({ notify: true, rcptTo: ["ada@example.org", "bo@example.org"] })
      assert.deepStrictEqual(
        two.envelope.rcptTo.map(({ dsn }) => dsn),
        ["ada@example.org", "bo@example.org"].map((address) => ({
          notify: ["SUCCESS", "FAILURE", "DELAY"],
          orcpt: `rfc822;${address}`
        }))
      )
      const none = yield* received({})
      assert.deepStrictEqual(none.envelope.dsn, { ret: "HDRS", envid: messageId })
      assert.isUndefined(none.envelope.rcptTo[0]?.dsn)
    })
  )
})
