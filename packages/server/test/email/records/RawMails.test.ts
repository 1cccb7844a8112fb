import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import PostalMime from "postal-mime"
import { LiveService, until } from "../../LiveService.js"
import { feedbackReport, postfixDsn } from "../feedback/Reports.js"
import { deliver, ReceivingService, receivingDomain, sentFrom } from "../ReceivingService.js"

/** The response to a request for the octets of an e-mail, one character per octet. */
const rawOf = Effect.fnUntraced(function* (id: string) {
  const { baseUrl, key } = yield* LiveService
  return yield* Effect.promise(async () => {
    const response = await fetch(`${baseUrl}/v1/email/${id}/raw`, { headers: { "X-API-Key": key } })
    const octets = Buffer.from(await response.arrayBuffer())
    return { status: response.status, headers: response.headers, text: octets.toString("latin1") }
  })
})

const withoutSignature = (mail: string) => mail.replace(/^DKIM-Signature:.*\r\n(?:[ \t].*\r\n)*/m, "")

layer(ReceivingService.Shared, { excludeTestServices: true })("The octets of an e-mail", (it) => {
  it.effect("equal the mail at the relay, without its DKIM signature", () =>
    Effect.gen(function* () {
      const domain = "signed.test"
      yield* receivingDomain(domain, { addresses: ["shop"] })
      const { id, mail } = yield* sentFrom(`Shop <shop@${domain}>`, ["ada@example.com", "bob@example.com"], {
        bcc: [{ email: "secret@example.com" }]
      })
      assert.match(mail.raw, /^DKIM-Signature:/m)
      const { headers, status, text } = yield* rawOf(id)
      assert.strictEqual(status, 200)
      assert.strictEqual(headers.get("content-type"), "message/rfc822")
      assert.strictEqual(headers.get("content-disposition"), `attachment; filename="${id}.eml"`)
      assert.strictEqual(text, withoutSignature(mail.raw))
      assert.notInclude(text, "secret@example.com")
    })
  )

  it.effect("have the attachments, and the copy of the first recipient with open tracking", () =>
    Effect.gen(function* () {
      const { call, mails } = yield* LiveService
      const subject = "Tracked with a file"
      const { body } = yield* call("POST", "/v1/messages", {
        channel: "email",
        to: [{ email: "ada@example.com" }, { email: "bob@example.com" }],
        email: {
          subject,
          html: "<p>Hello</p>",
          trackOpens: true,
          attachments: [{ filename: "a.txt", content: "aGVsbG8=" }]
        }
      })
      const copies = Effect.sync(() => mails.filter(({ parsed }) => parsed.subject === subject))
      yield* until(copies, ({ length }) => length === 2)
      const first = (yield* copies).find(({ rcptTo }) => rcptTo[0] === "ada@example.com")
      const { text } = yield* rawOf(body.id)
      assert.strictEqual(text, first?.raw)
      const { attachments } = yield* Effect.promise(() => PostalMime.parse(text))
      assert.strictEqual(attachments[0]?.filename, "a.txt")
    })
  )

  it.effect("equal the mail that was received", () =>
    Effect.gen(function* () {
      const domain = "octets.test"
      yield* receivingDomain(domain, { addresses: ["support"] })
      const { call } = yield* LiveService
      const mail = "From: Ada <ada@example.com>\r\nSubject: Gr\xfc\xdfe\r\n\r\n\x80\xff octets"
      assert.match(yield* deliver("ada@example.com", `support@${domain}`, mail, "latin1"), /^250/)
      const { body } = yield* until(
        call("GET", "/v1/messages?limit=1"),
        ({ body }) => body.items[0]?.direction === "inbound"
      )
      const { text } = yield* rawOf(body.items[0].id)
      assert.strictEqual(text, `${mail}\r\n`)
    })
  )

  it.effect("do not have the signature of a sender's confirmation link", () =>
    Effect.gen(function* () {
      const domain = "unconfirmed.test"
      const { call, mails } = yield* LiveService
      yield* call("POST", "/v1/email/domains", { domain })
      const email = `new@${domain}`
      const { status } = yield* call("POST", "/v1/email/senders", { email, name: "New" })
      assert.strictEqual(status, 201)
      const relayed = Effect.sync(() => mails.find(({ rcptTo }) => rcptTo[0] === email))
      const mail = yield* until(relayed, (found) => found !== undefined)
      const { body } = yield* call("GET", `/v1/messages?recipient=${email}`)
      const { text } = yield* rawOf(body.items[0].id)
      const token = /token=([\w.-]+)/
      const parsed = yield* Effect.promise(() => PostalMime.parse(text))
      assert.match(token.exec(mail?.parsed.text ?? "")?.[1] ?? "", /\.[0-9a-f]{20}$/)
      assert.match(token.exec(parsed.text ?? "")?.[1] ?? "", /\.signed-when-sent$/)
      assert.notInclude(text, "X-Switchboard-Confirmation")
    })
  )

  it.effect("do not have the signature of a link in a mail that comes back, nor does the message", () =>
    Effect.gen(function* () {
      const domain = "returned.test"
      yield* receivingDomain(domain, { addresses: ["support"] })
      const { baseUrl, call, mails } = yield* LiveService
      const email = "new@unreturned.test"
      yield* call("POST", "/v1/email/domains", { domain: "unreturned.test" })
      yield* call("POST", "/v1/email/senders", { email, name: "Gr\u00fc\u00dfe" })
      const sent = yield* until(
        Effect.sync(() => mails.find(({ rcptTo }) => rcptTo[0] === email)),
        (found) => found !== undefined
      )
      const original = sent?.raw ?? ""
      const link = /http\S+token=[0-9a-f.-]+\.([0-9a-f]{20})/.exec(sent?.parsed.text ?? "")
      const [url = "", signature = ""] = link ?? []
      assert.include(original.replaceAll("=\r\n", ""), signature)
      const to = `support@${domain}`
      const inBase64 = (text: string) => Buffer.from(text).toString("base64").replace(/.{76}/g, "$&\n")
      const part = (type: string, encoding: string, content: string) =>
        `--b\nContent-Type: ${type}\nContent-Transfer-Encoding: ${encoding}\nContent-Description: a part\n\n${content}\n`
      const mixed = (subject: string, ...parts: ReadonlyArray<string>) =>
        `From: ada@example.com\nTo: ${to}\nSubject: ${subject}\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n${parts.join("")}--b--\n`
      const soft = url.replace(/.{30}/g, (chunk) => `${chunk.replaceAll("=", "=3D")}=\n`)
      const quoted = `I am away.\n\n> ${url}\n`
      const returned = {
        dsn: postfixDsn(to, email, {
          action: "failed",
          status: "5.1.1",
          diagnostic: `550 5.1.1 no user: ${url}`
        }).replace("text/rfc822-headers\n\nSubject: Hello\n", () => `message/rfc822\n\n${original}\n`),
        arf: feedbackReport(to, email, original),
        reply: `From: ada@example.com\nTo: ${to}\nSubject: Re: Confirm\nX-Link: ${url}\n\n${quoted}`,
        base64: mixed(
          "base64",
          part("text/plain", "base64", inBase64(quoted)),
          part("message/rfc822", "base64", inBase64(original))
        ),
        html: mixed("html", part("text/html", "quoted-printable", `<p>Away <a href=3D"${soft}">link</a></p>`)),
        wrapped: mixed("wrapped", part("text/plain", "7bit", `https://scan.test/?url=${encodeURIComponent(url)}`)),
        itself: original
      }
      const shown = Effect.fnUntraced(function* (mail: string) {
        const newest = Effect.map(
          call("GET", "/v1/messages?limit=1"),
          ({ body }): string | undefined => body.items[0]?.id
        )
        const before = yield* newest
        assert.match(yield* deliver("ada@example.com", to, mail), /^250/)
        const id = (yield* until(newest, (found) => found !== before)) ?? ""
        const { text } = yield* rawOf(id)
        const { body } = yield* call("GET", `/v1/email/${id}`)
        const files: ReadonlyArray<{ readonly url: string }> = body.attachments
        const contents = yield* Effect.forEach(files, ({ url }) =>
          Effect.promise(async () => (await fetch(`${baseUrl}${new URL(url).pathname}${new URL(url).search}`)).text())
        )
        const parsed = yield* Effect.promise(() => PostalMime.parse(text))
        const all = [text, JSON.stringify(body), ...contents, parsed.text, parsed.html]
        return { all: all.join("\n").replaceAll(/=\r?\n/g, ""), files: files.length, body }
      })
      for (const [name, mail] of Object.entries(returned)) {
        const { all, body, files } = yield* shown(mail)
        if (name === "itself") assert.include(all, signature)
        else {
          assert.notInclude(all, signature, name)
          assert.notInclude(all, inBase64(quoted).slice(60, 120), name)
          assert.include(all, ".signed-when-sent", name)
        }
        if (name === "dsn" || name === "arf") assert.strictEqual(files, 2, name)
        if (name === "reply") assert.strictEqual(body.text.trim(), quoted.replace(signature, "signed-when-sent").trim())
      }
      const other = yield* shown(
        mixed("other", part("text/plain", "7bit", url.replaceAll(/127\.0\.0\.1|localhost/g, "other.test")))
      )
      assert.include(other.all, signature)
    })
  )
})
