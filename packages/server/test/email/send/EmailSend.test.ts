import { randomBytes, randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { LiveService, relayed } from "../../LiveService.js"

const dot = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"

const email = (overrides: object = {}) => ({
  to: "ada@example.com",
  subject: `Hello ${randomUUID()}`,
  html: "<p>Hello</p>",
  ...overrides
})

/** Sends an email and waits for its mail. */
const arrived = Effect.fnUntraced(function* (overrides: object = {}) {
  const { call } = yield* LiveService
  const request = email(overrides)
  const { body, status } = yield* call("POST", "/v1/email/send", request)
  assert.deepStrictEqual([status, body], [201, { id: body.id, status: "pending" }])
  return { id: body.id, mail: yield* relayed(({ parsed }) => parsed.subject === request.subject) }
})

layer(LiveService.Shared, { excludeTestServices: true })("An email", (it) => {
  it.effect("arrives at all addresses, with names, inline image and text part", () =>
    Effect.gen(function* () {
      const { mail } = yield* arrived({
        to: [
          { email: "ada@example.com", name: "Lovelace, Ada" },
          "bob@example.com",
          { email: "c@example.com", name: "Jörg" }
        ],
        html: '<p>Hello <img src="cid:dot"></p>',
        attachments: [
          { filename: "dot.gif", content: dot, contentType: "image/gif", contentId: "dot" },
          { filename: "a.txt", content: "aGVsbG8=" }
        ]
      })
      assert.sameMembers([...mail.rcptTo], ["ada@example.com", "bob@example.com", "c@example.com"])
      assert.include(mail.raw, '\r\nTo: "Lovelace, Ada" <ada@example.com>, bob@example.com, =?UTF-8?')
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

  it.effect("with large files arrives unchanged, and once for any form of its JSON", () =>
    Effect.gen(function* () {
      const { baseUrl, call, key } = yield* LiveService
      const files = [1_000_000, 600_001, 0, 3].map((size) => randomBytes(size))
      const attachments = files.map((file, at) => ({ filename: `${at}.bin`, content: file.toString("base64") }))
      const request = email({ attachments, idempotencyKey: randomUUID() })
      const first = yield* call("POST", "/v1/email/send", request)
      const again = yield* Effect.promise(() =>
        fetch(`${baseUrl}/v1/email/send`, {
          method: "POST",
          headers: { "X-API-Key": key, "Content-Type": "application/json" },
          body: JSON.stringify(request).replaceAll("/", "\\/")
        })
      )
      assert.deepStrictEqual([again.status, again.headers.get("idempotent-replayed")], [201, "true"])
      const { parsed } = yield* relayed(({ parsed }) => parsed.subject === request.subject)
      for (const [at, { content }] of parsed.attachments.entries()) {
        assert.isTrue(typeof content !== "string" && files[at]?.equals(new Uint8Array(content)), `file ${at}`)
      }
      const resent = yield* call("POST", `/v1/messages/${first.body.id}/resend`)
      assert.deepStrictEqual(
        resent.body.content.attachments.map(({ size }: { readonly size: number }) => size),
        files.map(({ length }) => length)
      )
      const changed = {
        ...request,
        attachments: [{ ...attachments[0], content: `-${attachments[0]?.content.slice(1)}` }]
      }
      const { body, status } = yield* call("POST", "/v1/email/send", changed)
      assert.deepStrictEqual([status, body.fields], [422, { "attachments.0.content": ["must be base64"] }])
    })
  )

  it.effect("has the given sender, which must be one of the organization", () =>
    Effect.gen(function* () {
      const { call, sender } = yield* LiveService
      const { mail } = yield* arrived({ from: `Support <${sender}>` })
      assert.deepStrictEqual(mail.parsed.from, { name: "Support", address: sender })
      const foreign = yield* call("POST", "/v1/email/send", email({ from: "support@example.net" }))
      assert.strictEqual(foreign.status, 422)
      assert.deepStrictEqual(Object.keys(foreign.body.fields), ["from"])
    })
  )

  it.effect("that replies to a message has In-Reply-To and References", () =>
    Effect.gen(function* () {
      const first = yield* arrived()
      const second = yield* arrived({ inReplyToMessageId: first.id })
      const third = yield* arrived({ inReplyToMessageId: second.id })
      const [one, two] = [first.mail.parsed.messageId, second.mail.parsed.messageId]
      assert.deepStrictEqual(
        [second, third].map(({ mail: { parsed } }) => [parsed.inReplyTo, parsed.references]),
        [
          [one, one],
          [two, `${one} ${two}`]
        ]
      )
    })
  )

  it.effect("is deduplicated with an equal message, but not with a reply, and after the deletion of its parent", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const sent = email({ to: { email: "ada@example.com", name: "Ada" } })
      const { to, ...content } = sent
      const asMessage = { channel: "email", to: [to], email: content }
      const first = yield* call("POST", "/v1/email/send", sent)
      const again = yield* call("POST", "/v1/messages", asMessage)
      assert.deepStrictEqual(
        [again.status, again.body.id, again.headers.get("idempotent-replayed")],
        [201, first.body.id, "true"]
      )
      const reply = { ...sent, inReplyToMessageId: first.body.id, idempotencyKey: randomUUID() }
      const replied = yield* call("POST", "/v1/email/send", reply)
      assert.notStrictEqual(replied.body.id, first.body.id)
      yield* call("DELETE", `/v1/messages/${first.body.id}`)
      const repeated = yield* call("POST", "/v1/email/send", reply)
      assert.deepStrictEqual([repeated.status, repeated.body.id], [201, replied.body.id])
      const other = yield* call("POST", "/v1/email/send", { ...reply, idempotencyKey: randomUUID() })
      assert.strictEqual(other.status, 404)
    })
  )
})
