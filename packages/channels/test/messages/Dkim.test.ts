import { generateKeyPairSync } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import type { OutgoingMail } from "@switchboard/services/messages/delivery/MailTransport"
import { Effect, Either } from "effect"
import { dkimVerify } from "mailauth/lib/dkim/verify.js"
import { outgoing, transportTo } from "../Fixtures.js"
import { smtpSink } from "../SmtpSink.js"

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
const record = `v=DKIM1; k=rsa; p=${publicKey.export({ type: "spki", format: "der" }).toString("base64")}`
const dkim = { domain: "example.com", selector: "sm1", privateKey }

/** Verifies with an independent library; the DNS has one key. */
const verify = (raw: string | Buffer) =>
  Effect.promise(() =>
    dkimVerify(raw, {
      resolver: (name) =>
        name === "sm1._domainkey.example.com"
          ? Promise.resolve([[record.slice(0, 200), record.slice(200)]])
          : Promise.reject(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }))
    })
  )

const sentTwice = (changes: Partial<OutgoingMail>) =>
  Effect.gen(function* () {
    const sink = yield* smtpSink()
    const transport = yield* transportTo(sink.port)
    yield* transport.send(outgoing({ dkim, ...changes }))
    yield* transport.send(outgoing({ dkim, ...changes }))
    const [first = assert.fail("no mail received"), second] = sink.mails
    assert.strictEqual(first.raw.toString("latin1"), second?.raw.toString("latin1"), "attempts are identical")
    return first.raw.toString("latin1")
  })

const passes = (raw: string | Buffer) =>
  Effect.gen(function* () {
    const { results } = yield* verify(Buffer.from(raw.toString("latin1"), "latin1"))
    return results.map(({ signingDomain, status }) => `${signingDomain} ${status.result}`)
  })

/** The names in `h=`, in order. */
const signedFields = (raw: string) =>
  (/^DKIM-Signature:[\s\S]*?\bh=([^;]*);/m.exec(raw)?.[1] ?? "").replace(/\s/g, "").split(":")

const mails: ReadonlyArray<readonly [string, Partial<OutgoingMail>]> = [
  ["a short mail", {}],
  ["a mail without text", { text: "", html: "" }],
  [
    "a mail with non-ASCII text and many recipients",
    {
      from: { name: 'Müller, "Jo" <x@y>', address: "shop@example.com" },
      to: Array.from({ length: 40 }, (_, index) => `recipient-number-${index}@example.org`),
      cc: ["cy@example.org"],
      replyTo: [{ address: "help@example.com" }, { name: "Sales", address: "sales@example.com" }],
      subject: "Grüße aus Köln 🎉 ".repeat(20),
      text: "Grüße\n.\n..\nFrom here  \t \n\n\n",
      headers: { "X-Campaign": "spring", "Feedback-ID": "a:b:c:switchboard" }
    }
  ],
  ["a mail with trailing white space", { text: " a\t \n\tb \t c\n \n\t\n\n", html: "\n\n <p>a</p>\t\n\n  \n" }],
  ["a mail with bare CR and LF", { text: "a\rb\nc\r\nd\r\r\n\n\re \r", html: "<p>\r.\r</p>\n.\n" }],
  [
    "a mail with attachments",
    {
      attachments: [
        {
          filename: "Rechnung – März.pdf",
          contentType: "application/pdf",
          contentId: null,
          content: Uint8Array.from({ length: 300_000 }, (_, index) => (index * 7) % 256)
        },
        { filename: "a.txt", contentType: "text/plain", contentId: "a", content: Buffer.from("a \r\n\r\rb\n\n") }
      ]
    }
  ]
]

describe("The DKIM signature", () => {
  for (const [what, changes] of mails) {
    it.scoped(`passes an independent verifier: ${what}`, () =>
      Effect.gen(function* () {
        const raw = yield* sentTwice(changes)
        assert.deepStrictEqual(yield* passes(raw), ["example.com pass"])
        assert.isBelow(
          Math.max(
            ...raw
              .slice(0, raw.indexOf("\r\n\r\n"))
              .split("\r\n")
              .map((line) => line.length)
          ),
          999
        )
      })
    )
  }

  it.scoped("covers the header fields, and oversigns fields against additions", () =>
    Effect.gen(function* () {
      const raw = yield* sentTwice({
        cc: ["cy@example.org"],
        replyTo: [{ address: "help@example.com" }],
        headers: {
          "Feedback-ID": "a:b:c:switchboard",
          "List-Unsubscribe": "<https://mail.example.com/unsubscribe/x>",
          "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"
        }
      })
      assert.deepStrictEqual(yield* passes(raw), ["example.com pass"])
      const names = signedFields(raw)
      for (const name of [
        "to",
        "cc",
        "subject",
        "date",
        "message-id",
        "reply-to",
        "mime-version",
        "content-type",
        "list-unsubscribe",
        "list-unsubscribe-post",
        "feedback-id"
      ]) {
        assert.include(names, name)
      }
      for (const name of ["from", "message-id", "mime-version", "content-type", "list-unsubscribe"]) {
        assert.lengthOf(
          names.filter((found) => found === name),
          2,
          name
        )
      }
    })
  )

  it.scoped("fails if the mail is changed or a header field is added", () =>
    Effect.gen(function* () {
      const raw = yield* sentTwice({})
      const headerEnd = raw.indexOf("\r\n\r\n")
      for (const changed of [
        raw.replace("<p>Hello</p>", "<p>Hallo</p>"),
        raw.replace(/^Subject: .*$/m, "Subject: Pay"),
        `From: boss@example.com\r\n${raw}`,
        `${raw.slice(0, headerEnd)}\r\nFrom: boss@example.com${raw.slice(headerEnd)}`,
        `Reply-To: thief@example.net\r\n${raw}`,
        `List-Unsubscribe: <https://example.net>\r\n${raw}`,
        `List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n${raw}`,
        `Content-Type: text/plain\r\n${raw}`,
        `MIME-Version: 1.0\r\n${raw}`,
        `Message-ID: <other@example.net>\r\n${raw}`
      ]) {
        assert.notStrictEqual(changed, raw)
        assert.notInclude(yield* passes(changed), "example.com pass")
      }
    })
  )

  it.scoped("prevents sending if the mail can't be signed", () =>
    Effect.gen(function* () {
      const sink = yield* smtpSink()
      const transport = yield* transportTo(sink.port)
      const other = generateKeyPairSync("x25519").privateKey
      const outcome = yield* Effect.either(transport.send(outgoing({ dkim: { ...dkim, privateKey: other } })))
      assert.isTrue(Either.isLeft(outcome))
      assert.lengthOf(sink.mails, 0)
    })
  )

  it.scoped("is absent without a key", () =>
    Effect.gen(function* () {
      assert.notMatch(yield* sentTwice({ dkim: null }), /^dkim-signature:/im)
    })
  )
})
