import { assert, describe, it } from "@effect/vitest"
import { MailReaderThread } from "@switchboard/channels/email/receiving/reading/MailReaderThread"
import { MailThreadsNode, MailThreadsSettings } from "@switchboard/channels/email/receiving/reading/MailThreads"
import { MailReader, type ReadMail } from "@switchboard/services/email/receiving/ReadMail"
import { Context, Effect, Fiber, Layer } from "effect"
import { mailOf } from "./Corpus.js"

const openReader = (settings: Partial<typeof MailThreadsSettings.Service> = {}) =>
  Layer.build(Layer.provide(MailReaderThread, MailThreadsNode)).pipe(
    Effect.map(Context.get(MailReader)),
    Effect.provideService(MailThreadsSettings, { ...MailThreadsSettings.defaultValue(), ...settings })
  )

/** How many ways to speak with a thread are open in this process. */
const ports = () => process.getActiveResourcesInfo().filter((name) => name === "MessagePort").length

const mail = mailOf(["Subject: sound"])

/** A million strings, one for each equal sign. */
const greedy = () => mailOf(["Content-Transfer-Encoding: base64"], "A=".repeat(1_000_000))

const whole = Buffer.from(
  [
    "From: =?utf-8?q?Ad=C3=A9?= <ada@example.com>",
    "To: Bo <bo@example.org>, friends: cy@example.org, di@example.org;",
    "Cc: el@example.org",
    "Reply-To: <help@example.com>",
    "Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=",
    "Message-ID: <1@example.com>",
    "In-Reply-To: <0@example.org>",
    "References: <a@example.org>",
    " <0@example.org>",
    "X-Mailer: by hand",
    "Content-Type: multipart/mixed; boundary=m",
    "",
    "--m",
    "Content-Type: multipart/related; boundary=r",
    "",
    "--r",
    "Content-Type: multipart/alternative; boundary=a",
    "",
    "--a",
    "Content-Type: text/plain; charset=utf-8",
    "",
    "Grüße",
    "--a",
    "Content-Type: text/html; charset=utf-8",
    "",
    '<p>Grüße <img src="cid:one"></p>',
    "--a--",
    "--r",
    "Content-Type: image/png",
    "Content-ID: <one>",
    "Content-Transfer-Encoding: base64",
    "",
    "AAEC",
    "--r--",
    "--m",
    "Content-Type: application/pdf",
    'Content-Disposition: attachment; filename="Rechnung – März.pdf"',
    "Content-Transfer-Encoding: base64",
    "",
    "/wA=",
    "--m--"
  ].join("\r\n")
)

describe("A reader of mail", () => {
  it.scopedLive("tells all that a mail says", () =>
    Effect.gen(function* () {
      const { read } = yield* openReader()
      const { headers, ...rest } = yield* read(whole)
      const address = (address: string, name = "") => ({ name, address })
      const expected: Omit<ReadMail, "headers"> = {
        messageId: "<1@example.com>",
        inReplyTo: ["<0@example.org>"],
        references: ["<a@example.org>", "<0@example.org>"],
        from: address("ada@example.com", "Adé"),
        replyTo: [address("help@example.com")],
        to: [address("bo@example.org", "Bo"), address("cy@example.org"), address("di@example.org")],
        cc: [address("el@example.org")],
        subject: "Grüße",
        text: "Grüße\n",
        html: '<p>Grüße <img src="cid:one"></p>\n',
        parts: [
          {
            filename: null,
            contentType: "image/png",
            contentId: "one",
            isInline: true,
            content: Uint8Array.of(0, 1, 2)
          },
          {
            filename: "Rechnung – März.pdf",
            contentType: "application/pdf",
            contentId: null,
            isInline: false,
            content: Uint8Array.of(255, 0)
          }
        ]
      }
      assert.deepStrictEqual(rest, expected)
      assert.deepStrictEqual(
        headers.map(({ name }) => name),
        [
          "from",
          "to",
          "cc",
          "reply-to",
          "subject",
          "message-id",
          "in-reply-to",
          "references",
          "x-mailer",
          "content-type"
        ]
      )
      assert.deepInclude(headers, { name: "references", value: "<a@example.org> <0@example.org>" })
    })
  )

  it.scopedLive("has words for a mail of HTML alone", () =>
    Effect.gen(function* () {
      const { read } = yield* openReader()
      const html = (body: string) => mailOf(["Content-Type: text/html; charset=utf-8"], body)
      const shown = yield* read(html("<style>p{}</style><p>Dear&#1; <b>Ada</b>,</p><p>see&#0; you&#xD800;</p>"))
      assert.strictEqual(shown.text, "Dear Ada,\n\nsee\ufffd you\ufffd")
      assert.match(shown.html, /<b>Ada<\/b>/)
      assert.strictEqual((yield* read(html('<img src="https://example.com/pixel">'))).text, "")
    })
  )

  it.scopedLive("unwraps flowed text by its depth of quotation", () =>
    Effect.gen(function* () {
      const { read } = yield* openReader()
      const flowed = (parameters: string, ...body: ReadonlyArray<string>) => {
        const type = `Content-Type: text/plain; charset=utf-8; format=flowed${parameters}`
        return Effect.map(
          read(Buffer.from(["From: ada@example.com", type, "", ...body].join("\r\n"))),
          ({ text }) => text
        )
      }
      assert.strictEqual(
        yield* flowed(
          "",
          ">> The first line ",
          ">> goes on.",
          ">> Another ends here ",
          "> Less deep ",
          "> goes on.",
          ">",
          "An answer that ",
          "goes on.",
          " >not a quote",
          " From the start",
          "-- ",
          "Ada ",
          "Lovelace"
        ),
        [
          ">> The first line goes on.",
          ">> Another ends here ",
          "> Less deep goes on.",
          ">",
          "An answer that goes on.",
          ">not a quote",
          "From the start",
          "-- ",
          "Ada Lovelace",
          ""
        ].join("\n")
      )
      assert.strictEqual(yield* flowed("; delsp=yes", "東京 ", "都", "> 大 ", "> 阪"), "東京都\n> 大阪\n")
    })
  )

  it.scopedLive("reads headers in Latin-1, those of a part too", () =>
    Effect.gen(function* () {
      const { read } = yield* openReader()
      const latin = yield* read(
        Buffer.from(
          [
            "From: J\xf6rg \x96 <joerg@example.com>",
            "Subject: Gr\xfc\xdfe",
            " aus K\xf6ln",
            "Content-Type: multipart/mixed; boundary=b",
            "",
            "--b",
            "",
            "Hello",
            "--b",
            'Content-Disposition: attachment; filename="M\xe4rz.pdf"',
            "Content-Type: application/pdf",
            "",
            "x",
            "--b--"
          ].join("\r\n"),
          "latin1"
        )
      )
      assert.deepStrictEqual(latin.from, { name: "Jörg –", address: "joerg@example.com" })
      assert.strictEqual(latin.subject, "Grüße aus Köln")
      assert.deepStrictEqual(
        latin.parts.map(({ filename }) => filename),
        ["März.pdf"]
      )
      const utf8 = yield* read(Buffer.from("From: ada@example.com\r\nSubject: Grüße\r\n\r\nHello"))
      assert.strictEqual(utf8.subject, "Grüße")
    })
  )

  it.scopedLive("leaves the octets to whom they belong", () =>
    Effect.gen(function* () {
      const { read } = yield* openReader()
      const shared = Buffer.concat([Buffer.from("Subject: another's\r\n\r\n"), mail])
      const mine = shared.subarray(shared.length - mail.length)
      assert.strictEqual((yield* read(mine)).subject, "sound")
      assert.strictEqual((yield* read(mine)).subject, "sound")
      assert.strictEqual(mine.toString(), mail.toString())
    })
  )

  it.scopedLive("outlives a mail that takes all the memory, and reads the next", () =>
    Effect.gen(function* () {
      const { read } = yield* openReader({ threads: 1, memory: 32, patience: "30 seconds" })
      const greedyOne = yield* Effect.fork(Effect.flip(read(greedy())))
      const next = yield* Effect.fork(Effect.all([read(mail), read(mail)], { concurrency: "unbounded" }))
      assert.match((yield* Fiber.join(greedyOne)).message, /memory/)
      assert.deepStrictEqual(
        (yield* Fiber.join(next)).map(({ subject }) => subject),
        ["sound", "sound"]
      )
    })
  )

  it.scopedLive("gives a mail up that takes too long, and starts anew", () =>
    Effect.gen(function* () {
      const { read } = yield* openReader({ threads: 1, patience: "1 millis" })
      for (let round = 0; round < 3; round++) {
        assert.match((yield* Effect.flip(read(greedy()))).message, /longer than 1ms/)
      }
    })
  )

  it.scopedLive("starts anew when whoever waited has left", () =>
    Effect.gen(function* () {
      const { read } = yield* openReader({ threads: 1 })
      const left = yield* Effect.fork(read(greedy()))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(left)
      assert.strictEqual((yield* read(mail)).subject, "sound")
    })
  )

  it.scopedLive("takes the mails in their order, and each once", () =>
    Effect.gen(function* () {
      const { read } = yield* openReader({ threads: 1 })
      const done: Array<string> = []
      const subjects = Array.from({ length: 50 }, (_, at) => `mail ${at}`)
      yield* Effect.forEach(
        subjects,
        (subject) => Effect.map(read(mailOf([`Subject: ${subject}`])), (read) => done.push(read.subject)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(done, subjects)
    })
  )

  it.scopedLive("lets all else go on while it reads", () =>
    Effect.gen(function* () {
      const { read } = yield* openReader({ patience: "30 seconds" })
      const hostile = mailOf([], "\r\n".repeat(200_000))
      let turns = 0
      const turn = () => {
        turns++
        timer = setImmediate(turn)
      }
      let timer = setImmediate(turn)
      yield* Effect.addFinalizer(() => Effect.sync(() => clearImmediate(timer)))
      yield* Effect.all(
        Array.from({ length: 4 }, () => read(hostile)),
        { concurrency: "unbounded" }
      )
      assert.isAbove(turns, 100)
    })
  )

  it.live("ends its threads with its scope", () =>
    Effect.gen(function* () {
      const before = ports()
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { read } = yield* openReader()
          yield* Effect.all([read(mail), read(mail)], { concurrency: 2 })
          assert.isAbove(ports(), before)
        })
      )
      assert.strictEqual(ports(), before)
    })
  )
})
