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

const octets = (text: string) => new TextEncoder().encode(text)

const file = (filename: string, contentType: string, content: Uint8Array) => ({
  filename,
  contentType,
  contentId: null,
  content
})

/** The media types of the parts of a mail, nested as in its multiparts. */
const structureOf = (text: string): string => {
  const [header = "", ...body] = text.split("\r\n\r\n")
  const [, type = ""] = /^Content-Type: ([^;\r]+)/im.exec(header) ?? []
  const [, subtype] = /^multipart\/(\w+)$/.exec(type) ?? []
  const [, boundary = ""] = /boundary="([^"]+)"/.exec(header) ?? []
  if (subtype === undefined) return type
  const parts = body
    .join("\r\n\r\n")
    .split(new RegExp(`(?:^|\\r\\n)--${boundary}(?:--)?\\r\\n`))
    .slice(1, -1)
  return `${subtype}(${parts.map(structureOf).join(" ")})`
}

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
        replyTo: [{ address: "help@example.com" }, { name: "Sales, Team", address: "sales@example.com" }],
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
      assert.deepStrictEqual(parsed.replyTo, [
        { name: "", address: "help@example.com" },
        { name: "Sales, Team", address: "sales@example.com" }
      ])
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

  it.scoped("sends attached mail unencoded, in CRLF lines", () =>
    Effect.gen(function* () {
      const mails = [
        ["crlf.eml", "Subject: Plain\r\n\r\n.\r\nHello\r\n", "7bit"],
        ["unix.eml", "Subject: Unix\n\nHello\n", "7bit"],
        ["mac.eml", "Subject: Mac\r\rHello\r", "7bit"],
        ["eight.eml", "Subject: Eight\r\n\r\nGrüße", "8bit"]
      ] as const
      const { text } = yield* received({
        attachments: mails.map(([filename, content]) => file(filename, "Message/RFC822", octets(content)))
      })
      assert.match(
        text,
        /^MIME-Version: 1\.0\r\nContent-Type: multipart\/mixed;[^:]*\r\nContent-Transfer-Encoding: 8bit/m
      )
      for (const [filename, content, encoding] of mails) {
        const part = text.slice(text.indexOf(`Content-Type: Message/RFC822; name=${filename}`))
        assert.match(part, new RegExp(`^[^]*?\\r\\nContent-Transfer-Encoding: ${encoding}\\r\\n\\r\\n`))
        const body = Buffer.from(content.replaceAll(/\r\n?|\n/g, "\r\n")).toString("latin1")
        assert.strictEqual(part.split("\r\n\r\n").slice(1).join("\r\n\r\n").slice(0, body.length), body)
      }
    })
  )

  it.scoped("sends an attached mail in an inline part with the encoding of its parts", () =>
    Effect.gen(function* () {
      const mail = { ...file("a.eml", "message/rfc822", octets("Subject: ü\r\n\r\n")), contentId: "a" }
      const { text } = yield* received({ attachments: [mail] })
      for (const kind of ["alternative", "related"]) {
        assert.match(text, new RegExp(`multipart/${kind};[^:]*\\r\\nContent-Transfer-Encoding: 8bit\\r\\n`))
      }
    })
  )

  it.scoped("sends files as application/octet-stream whose type permits no encoding that they need", () =>
    Effect.gen(function* () {
      const files = [
        file("long.eml", "message/rfc822", octets(`Subject: Long\r\n\r\n${"x".repeat(5000)}`)),
        file("nul.eml", "message/rfc822", octets("Subject: Nul\r\n\r\n\0")),
        file("eight.txt", "message/delivery-status", octets("Reporting-MTA: dns; ü\r\n")),
        file("parts.bin", "multipart/mixed; boundary=a", octets("--a\r\n\r\nHello\r\n--a--\r\n"))
      ]
      const { parsed, text } = yield* received({ attachments: files })
      assert.isTrue(text.split("\r\n").every(({ length }) => length <= 998))
      assert.notMatch(text, /[\x80-\xff]|boundary=a/)
      for (const { content, filename } of files) {
        const found = parsed.attachments.find((one) => one.filename === filename)
        assert.strictEqual(found?.mimeType, "application/octet-stream", filename)
        const received = found?.content
        assert.deepStrictEqual(received instanceof ArrayBuffer ? new Uint8Array(received) : received, content, filename)
      }
    })
  )

  it.scoped("keeps the parameters of a media type, with the name of the file", () =>
    Effect.gen(function* () {
      const { text } = yield* received({
        attachments: [
          file(
            "a.txt",
            'text/plain;charset="iso-8859-1" ; format=flowed; name="b; c.txt"; name*0*=utf-8\'\'d',
            octets("a")
          ),
          file("list.ics", "text/calendar", octets("BEGIN:VCALENDAR"))
        ]
      })
      const unfolded = text.replaceAll(/\r\n(?=[ \t])/g, "")
      assert.include(unfolded, 'Content-Type: text/plain; charset="iso-8859-1"; format=flowed; name=a.txt\r\n')
      assert.include(
        unfolded,
        "Content-Type: text/calendar; charset=utf-8; name=list.ics\r\nContent-Disposition: attachment;"
      )
    })
  )

  const calendar = "text/calendar; charset=utf-8; Method=REQUEST"
  it.scoped.each<readonly [string, Partial<OutgoingMail>, string]>([
    ["text", { html: "" }, "alternative(text/plain text/calendar)"],
    ["HTML", { text: "" }, "alternative(text/html text/calendar)"],
    ["text and HTML", {}, "alternative(text/plain text/html text/calendar)"],
    [
      "inline images and files",
      {
        attachments: [
          file("a.pdf", "application/pdf", octets("a")),
          file("invite.ics", calendar, octets("BEGIN:VCALENDAR")),
          { ...file("logo.png", "image/png", octets("b")), contentId: "logo" },
          file("second.ics", calendar, octets("BEGIN:VCALENDAR")),
          file("invite.ics", "application/ics", octets("BEGIN:VCALENDAR"))
        ]
      },
      "mixed(alternative(text/plain related(text/html image/png) text/calendar) application/pdf text/calendar application/ics)"
    ]
  ])("sends an invitation as an alternative of %s", ([, changes, expected]) =>
    Effect.gen(function* () {
      const { text } = yield* received({
        attachments: [file("invite.ics", calendar, octets("BEGIN:VCALENDAR"))],
        ...changes
      })
      assert.strictEqual(structureOf(text), expected)
      assert.include(
        text.replaceAll(/\r\n(?=[ \t])/g, ""),
        `Content-Type: ${calendar}; name=invite.ics\r\nContent-Disposition: inline; filename=invite.ics\r\n`
      )
    })
  )

  it.scoped("sends the identifier of a list and Auto-Submitted as structured fields", () =>
    Effect.gen(function* () {
      for (const [given, expected] of [
        ["<a.example>", "<a.example>"],
        ["News of today <a.example>", "News of today <a.example>"],
        ['"News, new" <a.example>', '"News, new" <a.example>'],
        ["Grüße <a.example>", "=?UTF-8?B?R3LDvMOfZQ==?= <a.example>"]
      ] as const) {
        const { text } = yield* received({
          headers: { "list-id": given, "Auto-Submitted": 'auto-notified; owner-email="me@example.com"' }
        })
        assert.include(text, `\r\nList-Id: ${expected}\r\n`)
        assert.include(text, '\r\nAuto-Submitted: auto-notified; owner-email="me@example.com"\r\n')
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
