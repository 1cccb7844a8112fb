import { assert, describe, it } from "@effect/vitest"
import { MailReaderWorker } from "@switchboard/channels/email/receiving/reading/MailReaderWorker"
import type { MimeWorkerPoolSettings } from "@switchboard/channels/email/receiving/reading/MimeWorkerPool"
import { MailReader, type ReadMail } from "@switchboard/services/email/receiving/ReadMail"
import { Context, Effect, Fiber, Layer } from "effect"
import { mailOf } from "./Corpus.js"
import { mimeWorkers } from "./MimeWorkers.js"

const openReader = (settings: Partial<typeof MimeWorkerPoolSettings.Service> = {}) =>
  Effect.map(Layer.build(Layer.provide(MailReaderWorker, mimeWorkers(settings))), Context.get(MailReader))

/** The number of open message ports of this process; each worker has one. */
const messagePorts = () => process.getActiveResourcesInfo().filter((name) => name === "MessagePort").length

const mail = mailOf(["Subject: valid"])

/** A mail whose text has a million lines to unwrap, which needs more than 32 MiB. */
const memoryHog = () => mailOf(["Content-Type: text/plain; format=flowed"], "a \n".repeat(2_000_000))

const completeMail = Buffer.from(
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

describe("MailReaderWorker", () => {
  it.scopedLive("returns all parts of a mail", () =>
    Effect.gen(function* () {
      const { read } = yield* openReader()
      const { headers, ...rest } = yield* read(completeMail)
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
        text: "Grüße",
        html: '<p>Grüße <img src="cid:one"></p>',
        replyText: "Grüße",
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

  it.scopedLive("converts HTML to text if a mail has no text", () =>
    Effect.gen(function* () {
      const { read } = yield* openReader()
      const html = (body: string) => mailOf(["Content-Type: text/html; charset=utf-8"], body)
      const shown = yield* read(html("<style>p{}</style><p>Dear&#1; <b>Ada</b>,</p><p>see&#0; you&#xD800;</p>"))
      assert.strictEqual(shown.text, "Dear Ada,\n\nsee\ufffd you\ufffd")
      assert.match(shown.html, /<b>Ada<\/b>/)
      assert.strictEqual((yield* read(html('<img src="https://example.com/pixel">'))).text, "")
    })
  )

  it.scopedLive("unwraps format=flowed text by quote depth", () =>
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
          "Ada Lovelace"
        ].join("\n")
      )
      assert.strictEqual(yield* flowed("; delsp=yes", "東京 ", "都", "> 大 ", "> 阪"), "東京都\n> 大阪")
    })
  )

  it.scopedLive("reads header fields in ISO 8859-1, also of parts", () =>
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

  it.scopedLive("does not detach the caller's buffer", () =>
    Effect.gen(function* () {
      const { read } = yield* openReader()
      const shared = Buffer.concat([Buffer.from("Subject: another's\r\n\r\n"), mail])
      const mine = shared.subarray(shared.length - mail.length)
      assert.strictEqual((yield* read(mine)).subject, "valid")
      assert.strictEqual((yield* read(mine)).subject, "valid")
      assert.strictEqual(mine.toString(), mail.toString())
    })
  )

  it.scopedLive("fails a mail that exceeds the memory limit, and reads the next ones", () =>
    Effect.gen(function* () {
      const { read } = yield* openReader({ threads: 1, maxHeapMiB: 32, timeout: "30 seconds" })
      const outOfMemory = yield* Effect.fork(Effect.flip(read(memoryHog())))
      const next = yield* Effect.fork(Effect.all([read(mail), read(mail)], { concurrency: "unbounded" }))
      assert.match((yield* Fiber.join(outOfMemory)).message, /memory/)
      assert.deepStrictEqual(
        (yield* Fiber.join(next)).map(({ subject }) => subject),
        ["valid", "valid"]
      )
    })
  )

  it.scopedLive("fails a mail at the timeout, and starts a new worker", () =>
    Effect.gen(function* () {
      const { read } = yield* openReader({ threads: 1, timeout: "1 millis" })
      for (let round = 0; round < 3; round++) {
        assert.match((yield* Effect.flip(read(memoryHog()))).message, /longer than 1ms/)
      }
    })
  )

  it.scopedLive("starts a new worker after an interruption", () =>
    Effect.gen(function* () {
      const { read } = yield* openReader({ threads: 1 })
      const interrupted = yield* Effect.fork(read(memoryHog()))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(interrupted)
      assert.strictEqual((yield* read(mail)).subject, "valid")
    })
  )

  it.scopedLive("reads the mails in order, each once", () =>
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

  it.scopedLive("does not block the event loop", () =>
    Effect.gen(function* () {
      const { read } = yield* openReader({ timeout: "30 seconds" })
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

  it.live("terminates its workers with its scope", () =>
    Effect.gen(function* () {
      const before = messagePorts()
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { read } = yield* openReader()
          yield* Effect.all([read(mail), read(mail)], { concurrency: 2 })
          assert.isAbove(messagePorts(), before)
        })
      )
      assert.strictEqual(messagePorts(), before)
    })
  )
})
