import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import PostalMime from "postal-mime"
import { LiveService, until } from "../../LiveService.js"
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
})
