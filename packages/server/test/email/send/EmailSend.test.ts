import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { LiveService, until } from "../../LiveService.js"

const dot = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
const unknown = "01a1fc1d-e1a0-7029-814e-d493ca640e3c"

const email = (overrides: object = {}) => ({
  to: "ada@example.com",
  subject: `Hello ${randomUUID()}`,
  html: "<p>Hello</p>",
  ...overrides
})

/** Sends an email and waits for its mail. */
const arrived = Effect.fnUntraced(function* (overrides: object = {}) {
  const { call, mails } = yield* LiveService
  const request = email(overrides)
  const { body, status } = yield* call("POST", "/v1/email/send", request)
  assert.deepStrictEqual([status, body], [201, { id: body.id, status: "pending" }])
  const mail = yield* until(
    Effect.sync(() => mails.find(({ parsed }) => parsed.subject === request.subject)),
    (found) => found !== undefined
  )
  return { id: body.id, mail: mail ?? assert.fail("nothing came") }
})

layer(LiveService.Shared, { excludeTestServices: true })("An email", (it) => {
  it.effect("arrives at all addresses, with inline image and text part", () =>
    Effect.gen(function* () {
      const { mail } = yield* arrived({
        to: ["ada@example.com", "bob@example.com"],
        html: '<p>Hello <img src="cid:dot"></p>',
        attachments: [
          { filename: "dot.gif", content: dot, contentType: "image/gif", contentId: "dot" },
          { filename: "a.txt", content: "aGVsbG8=" }
        ]
      })
      assert.sameMembers([...mail.rcptTo], ["ada@example.com", "bob@example.com"])
      const { attachments, html, text } = mail.parsed
      assert.include(html, 'src="cid:dot"')
      assert.strictEqual(text?.trim(), "Hello")
      assert.deepStrictEqual(
        attachments.map(({ content, contentId, disposition, filename, mimeType }) => ({
          filename,
          mimeType,
          disposition,
          contentId,
          content: Buffer.from(typeof content === "string" ? content : new Uint8Array(content)).toString("base64")
        })),
        [
          { filename: "dot.gif", mimeType: "image/gif", disposition: "inline", contentId: "<dot>", content: dot },
          {
            filename: "a.txt",
            mimeType: "text/plain",
            disposition: "attachment",
            contentId: undefined,
            content: "aGVsbG8="
          }
        ]
      )
    })
  )

  it.effect("gets HTML generated from its text if it has none", () =>
    Effect.gen(function* () {
      const { mail } = yield* arrived({ html: undefined, text: "1 < 2 &\nso on" })
      assert.strictEqual(mail.parsed.html?.trimEnd(), "<p>1 &lt; 2 &amp;<br>so on</p>")
      assert.strictEqual(mail.parsed.text?.trimEnd(), "1 < 2 &\nso on")
    })
  )

  it.effect("shows the names of its recipients in To", () =>
    Effect.gen(function* () {
      const { mail } = yield* arrived({
        to: [
          { email: "ada@example.com", name: "Lovelace, Ada" },
          "bob@example.com",
          { email: "c@example.com", name: "Jörg" }
        ]
      })
      assert.sameMembers([...mail.rcptTo], ["ada@example.com", "bob@example.com", "c@example.com"])
      assert.include(mail.raw, '\r\nTo: "Lovelace, Ada" <ada@example.com>, bob@example.com, =?UTF-8?')
      assert.deepStrictEqual(
        mail.parsed.to?.map(({ address, name }) => [address, name]),
        [
          ["ada@example.com", "Lovelace, Ada"],
          ["bob@example.com", ""],
          ["c@example.com", "Jörg"]
        ]
      )
    })
  )

  it.effect("that replies to a message has In-Reply-To, References and the parent's id", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const first = yield* arrived()
      const second = yield* arrived({ inReplyToMessageId: first.id })
      const third = yield* arrived({ inReplyToMessageId: second.id })
      const [one, two] = [first.mail.parsed.messageId, second.mail.parsed.messageId]
      assert.deepStrictEqual(
        [first, second, third].map(({ mail: { parsed } }) => [parsed.inReplyTo, parsed.references]),
        [
          [undefined, undefined],
          [one, one],
          [two, `${one} ${two}`]
        ]
      )
      const { body } = yield* call("GET", `/v1/messages/${third.id}`)
      assert.strictEqual(body.parentMessageId, second.id)
    })
  )

  it.effect("that replies to an unknown message gets 404", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const { body, status } = yield* call("POST", "/v1/email/send", email({ inReplyToMessageId: unknown }))
      assert.deepStrictEqual([status, body], [404, { _tag: "ResourceNotFoundError", resource: "message", id: unknown }])
    })
  )

  it.effect("is deduplicated with an equal message by key and by content, but not with a reply", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const sent = email({ to: { email: "ada@example.com", name: "Ada" } })
      const { to, ...content } = sent
      const asMessage = { channel: "email", to: [to], email: content }
      const keyed = { "Idempotency-Key": randomUUID() }
      const first = yield* call("POST", "/v1/email/send", sent, keyed)
      const again = [
        yield* call("POST", "/v1/messages", asMessage, keyed),
        yield* call("POST", "/v1/email/send", sent, keyed),
        yield* call("POST", "/v1/messages", asMessage),
        yield* call("POST", "/v1/email/send", sent)
      ]
      assert.deepStrictEqual(
        again.map(({ body, headers, status }) => [status, body.id, headers.get("idempotent-replayed")]),
        again.map(() => [201, first.body.id, "true"])
      )
      const reply = { ...sent, inReplyToMessageId: first.body.id }
      assert.strictEqual((yield* call("POST", "/v1/email/send", reply, keyed)).status, 409)
      assert.notStrictEqual((yield* call("POST", "/v1/email/send", reply)).body.id, first.body.id)
    })
  )

  it.effect("is deduplicated after the deletion of its parent", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const parent = yield* call("POST", "/v1/email/send", email())
      const reply = email({ inReplyToMessageId: parent.body.id, idempotencyKey: randomUUID() })
      const first = yield* call("POST", "/v1/email/send", reply)
      yield* call("DELETE", `/v1/messages/${parent.body.id}`)
      const again = yield* call("POST", "/v1/email/send", reply)
      assert.deepStrictEqual([again.status, again.body.id], [201, first.body.id])
      const other = yield* call("POST", "/v1/email/send", { ...reply, idempotencyKey: randomUUID() })
      assert.strictEqual(other.status, 404)
    })
  )
})
