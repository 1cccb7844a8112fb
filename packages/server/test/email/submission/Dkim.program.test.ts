import { assert, layer } from "@effect/vitest"
import { dnsServer } from "@switchboard/channels/testing/network/DnsServer"
import { smtpSink } from "@switchboard/channels/testing/SmtpSink"
import { Array, Context, Effect, Layer } from "effect"
import { until } from "../../LiveService.js"
import { ReceivingService, verifiedDomain } from "../ReceivingService.js"
import { dkimVerifiers } from "./DkimVerifiers.js"
import { dataSession, idOf, SubmissionService } from "./SubmissionService.js"

/** A relay that stores octets. */
class OctetRelay extends Context.Tag("test/OctetRelay")<
  OctetRelay,
  Effect.Effect.Success<ReturnType<typeof smtpSink>>
>() {}

const Live = Layer.unwrapScoped(
  Effect.map(smtpSink({ disabledCommands: ["STARTTLS", "AUTH"] }), (relay) =>
    SubmissionService.layer((settings) =>
      ReceivingService.layer({
        ...settings,
        SMTP_CONFIRMATION: "accept",
        SMTP_URL: `smtp://127.0.0.1:${relay.port}`
      })
    ).pipe(Layer.merge(Layer.succeed(OctetRelay, relay)))
  )
)

/** The fields that the service adds, where the mail has none. */
const completed = ["Date: Mon, 30 Nov 2026 07:00:00 +0000", "MIME-Version: 1.0"]

/** Lines of header fields and of bodies, by their peculiarity. The octets of strings are those of Latin-1. */
const mails: Readonly<Record<string, { readonly header?: ReadonlyArray<string>; readonly body?: string }>> = {
  "without Date and MIME-Version": {},
  "of 8-bit lines in two charsets": {
    header: [...completed, "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: 8bit"],
    body: `${Buffer.from("Grüße \t aus Köln, 世界").toString("latin1")}\r\n\xe4\xf6\xfc\xff\x80 \r\n\t\xa0\r\n`
  },
  "with 8-bit octets in its header": {
    header: [...completed, `X-Name: ${Buffer.from("Jörg").toString("latin1")} \xfc`],
    body: "Hello\r\n"
  },
  "with long and folded fields": {
    header: [
      ...completed,
      `References: ${Array.makeBy(60, (index) => `<${index}.${"r".repeat(60)}@shop.test>`).join("\r\n ")}`,
      `To: ${Array.makeBy(40, (index) => `"Recipient, ${index}"\t \r\n\t <r${index}@world.test>`).join(" ,\r\n  ")}`,
      `Cc:\r\n cy@world.test  \t `,
      `X-Long: ${"w".repeat(980)}`,
      `Content-Type: text/plain;\r\n\tcharset="us-ascii" ;\r\n   format=flowed`
    ],
    body: "Hello\r\n"
  },
  "with Bcc and fields for the service, which do not go out": {
    header: [
      "bcc: carl@world.test,\r\n dora@world.test",
      ...completed,
      "Return-Path: <other@shop.test>",
      "X-Switchboard-Tags: one,\r\n two",
      "X-Kept: carl",
      "BCC:"
    ],
    body: "Bcc: carl@world.test\r\n"
  },
  "with fields that occur more than once": {
    header: [
      ...completed,
      "Received: from b.test by a.test; Mon, 30 Nov 2026 06:00:00 +0000",
      "Received: from c.test by b.test; Mon, 30 Nov 2026 05:00:00 +0000",
      "Reply-To: first@shop.test",
      "X-Twice: 1",
      "Subject: second",
      "Reply-To: second@shop.test",
      "X-Twice: 2",
      "To: bo@world.test"
    ],
    body: "Hello\r\n"
  },
  "with empty fields and names in capitals": {
    header: ["DATE:Mon, 30 Nov 2026 07:00:00 +0000", "MIME-VERSION:1.0", "X-Empty:", "Cc: ", "CONTENT-TYPE:text/plain"],
    body: "Hello\r\n"
  },
  "with the signature of another domain": {
    header: [
      "DKIM-Signature: v=1; a=rsa-sha256; c=simple/simple; d=list.test; s=a;\r\n h=from; bh=AAAA; b=AAAA",
      ...completed
    ],
    body: "Hello\r\n"
  },
  "of multipart HTML with a file": {
    header: [...completed, 'Content-Type: multipart/mixed; boundary="=_a b"'],
    body: [
      "preamble  ",
      "--=_a b",
      'Content-Type: multipart/alternative; boundary="inner"',
      "",
      "--inner",
      "",
      "Text with dots",
      ".",
      "..",
      ".hidden \t",
      "--inner",
      "Content-Type: text/html; charset=iso-8859-1",
      "Content-Transfer-Encoding: quoted-printable",
      "",
      `<p style=3D"x">Gr=FC=DFe</p>${" ".repeat(40)}=`,
      "<a href=3D'https://shop.test/'>Shop</a>",
      "--inner--",
      "--=_a b",
      "Content-Type: application/octet-stream",
      "Content-Transfer-Encoding: base64",
      "",
      ...Array.replicate("A".repeat(76), 2_000),
      "--=_a b--",
      "epilogue",
      "",
      ""
    ].join("\r\n")
  },
  "without an empty line and a body": { header: completed },
  "with an empty body": { header: completed, body: "" },
  "of one empty line": { header: completed, body: "\r\n" },
  "of lines of white space": { header: completed, body: " \t\r\n\r\n  \r\n" },
  "that ends with empty lines": { header: completed, body: "Hello\r\n\r\n\r\n\r\n" },
  "that ends with white space": { header: completed, body: "Hello\r\nWorld \t\r\n \t \r\n" },
  "of lines of 998 octets": { header: completed, body: `${"a b\t".repeat(249)}\r\n`.repeat(300) }
}

const added = new Set(["dkim-signature", "feedback-id", "list-unsubscribe", "list-unsubscribe-post"])
const removed = /^(?:bcc|return-path|x-switchboard-[a-z-]+):/i

const nameOf = (field: string) => field.split(":")[0]?.toLowerCase() ?? ""

/** The header fields of a mail, and the rest with the empty line before it. */
const partsOf = (mail: string) => {
  const end = `\r\n${mail}`.indexOf("\r\n\r\n")
  const [header, body] = end < 0 ? [mail, "\r\n"] : [mail.slice(0, end), mail.slice(end)]
  return { fields: header.split(/\r\n(?![ \t])/).filter((field) => field !== ""), body }
}

layer(Live, { excludeTestServices: true, timeout: "1 minute" })("The signature of a submitted mail", (it) => {
  const entries = Object.entries(mails)
  const domain = "signed.test"

  /** Submits a mail; returns the octets before and after the service. */
  const passedOn = Effect.fnUntraced(function* (name: string) {
    const { header = [], body } = mails[name] ?? {}
    const { mails: sent } = yield* OctetRelay
    const id = `<${entries.findIndex(([one]) => one === name)}.${sent.length}@${domain}>`
    const lines = [`From: Shop <a@${domain}>`, "Subject: Signed", `Message-ID: ${id}`, ...header, ""].join("\r\n")
    const submitted = body === undefined ? lines : `${lines}\r\n${body}`
    const client = yield* dataSession()
    yield* client.writeAll(Buffer.from(`${submitted.replace(/^\./gm, "..")}.\r\n`, "latin1"))
    idOf(yield* client.reply)
    const mail = yield* until(
      Effect.sync(() => sent.find(({ raw }) => raw.includes(id))),
      (found) => found !== undefined
    )
    return { submitted, octets: mail?.raw ?? Buffer.of() }
  }, Effect.scoped)

  const verified = Effect.gen(function* () {
    const { zone } = yield* ReceivingService
    if (!(`sm1._domainkey.${domain}` in zone)) yield* verifiedDomain(domain)
  })

  for (const { name, obstacle, verify } of dkimVerifiers) {
    const run = obstacle === "" ? it.scoped : it.scoped.skip
    run(`passes ${name}${obstacle}`, () =>
      Effect.gen(function* () {
        yield* verified
        const { server: nameServer } = yield* dnsServer((yield* ReceivingService).zone)
        for (const [what] of entries) {
          const { octets } = yield* passedOn(what)
          assert.strictEqual(yield* verify(octets, nameServer), "pass", what)
          const changed = Buffer.from(octets.toString("latin1").replace("Subject: Signed", "Subject: Forged"), "latin1")
          assert.notStrictEqual(yield* verify(changed, nameServer), "pass", what)
        }
      })
    )
  }

  it.effect("is added to the octets that were submitted, with nothing else changed", () =>
    Effect.gen(function* () {
      yield* verified
      for (const [what] of entries) {
        const { octets, submitted } = yield* passedOn(what)
        const [before, after] = [partsOf(submitted), partsOf(octets.toString("latin1"))]
        const own = new Set(before.fields.map(nameOf))
        const [signature = "", ...others] = after.fields
        assert.match(signature, /^DKIM-Signature: v=1; a=rsa-sha256; c=relaxed\/relaxed; d=signed\.test;/)
        const [completing, passed] = Array.partition(
          others.filter((field) => own.has(nameOf(field)) || !added.has(nameOf(field))),
          (field) => own.has(nameOf(field))
        )
        assert.deepStrictEqual(
          completing.map(nameOf),
          ["date", "mime-version"].filter((name) => !own.has(name)),
          what
        )
        assert.deepStrictEqual(
          passed,
          before.fields.filter((field) => !removed.test(field)),
          what
        )
        assert.strictEqual(after.body, before.body, what)
      }
    })
  )
})
