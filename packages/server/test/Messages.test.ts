import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { TestDatabase } from "@switchboard/store/testing/TestDatabase"
import { Effect, Layer } from "effect"
import { dueNow } from "./email/DueNow.js"
import { accepted, LiveService, relayed, send, settled } from "./LiveService.js"

/** The statuses of a list of entries. */
const statuses = (entries: ReadonlyArray<{ readonly status: string }>) => entries.map(({ status }) => status).join(" ")

layer(TestDatabase.pipe(Layer.provideMerge(LiveService.Shared)), { excludeTestServices: true })("A message", (it) => {
  it.effect("goes from pending to delivered, and arrives with its content", () =>
    Effect.gen(function* () {
      const { call, key, sender } = yield* LiveService
      const sent = yield* accepted(
        { cc: [{ email: "bob@example.com" }], bcc: [{ email: "eve@example.com" }], tags: ["a"], externalId: "x-1" },
        { replyTo: ["back@example.com"], from: `The Shop <${sender}>`, headers: { "X-Order": "1815" } }
      )
      assert.strictEqual(sent.status, "pending")
      const message = yield* settled(sent.id, "delivered")
      assert.strictEqual(statuses(message.statusHistory), "pending processing sent delivered")
      const { parsed, raw, rcptTo } = yield* relayed(
        ({ parsed }) => parsed.messageId === message.emailMetadata.messageId
      )
      assert.sameMembers([...rcptTo], ["ada@example.com", "bob@example.com", "eve@example.com"])
      assert.notInclude(raw, "eve@example.com")
      assert.strictEqual(parsed.from?.name, "The Shop")
      assert.strictEqual(parsed.replyTo?.[0]?.address, "back@example.com")
      assert.strictEqual(parsed.text?.trim(), "Hello")
      assert.strictEqual(parsed.headers.find(({ key }) => key === "x-order")?.value, "1815")
      const timeline = yield* call("GET", `/v1/messages/${sent.id}/timeline`)
      assert.deepStrictEqual(timeline.body.events.map(({ type }: { type: string }) => type).slice(0, 5), [
        "message.created",
        "message.pending",
        "message.processing",
        "message.sent",
        "message.delivered"
      ])
      assert.notInclude(JSON.stringify(message), key)
    })
  )

  it.effect("can have only text, and shows its recipients' names", () =>
    Effect.gen(function* () {
      const { id, content } = yield* accepted(
        {
          to: [{ email: "ada@example.com", name: "Lovelace, Ada" }, { email: "zoe@exämple.test" }],
          bcc: [{ email: "eve@example.com", name: "Eve Secret" }]
        },
        { html: undefined, text: "Dear <Ada>,\nhello\n\nBob" }
      )
      assert.strictEqual(content.html, "<p>Dear &lt;Ada&gt;,<br>hello</p><p>Bob</p>")
      yield* settled(id, "delivered")
      const { parsed, raw } = yield* relayed(({ parsed }) => parsed.subject === content.subject)
      assert.deepStrictEqual(parsed.to, [
        { name: "Lovelace, Ada", address: "ada@example.com" },
        { name: "", address: "zoe@xn--exmple-cua.test" }
      ])
      assert.notInclude(raw, "Eve Secret")
      assert.deepStrictEqual(
        [parsed.text?.trimEnd(), parsed.html?.trimEnd()],
        ["Dear <Ada>,\nhello\n\nBob", content.html]
      )
    })
  )

  it.effect.each([
    { to: ["perm550"], status: "bounced", deliveries: "bounced" },
    { to: ["temp451"], status: "queued", deliveries: "deferred" },
    { to: ["data451"], status: "queued", deliveries: "pending" },
    { to: ["data554"], status: "failed", deliveries: "failed" },
    { to: ["good", "perm550.other", "temp451"], status: "delivered", deliveries: "delivered bounced deferred" }
  ])("to $to is $status after the replies of the relay", ({ deliveries, status, to }) =>
    Effect.gen(function* () {
      const { mails } = yield* LiveService
      const { id, content } = yield* accepted({ to: to.map((local) => ({ email: `${local}@example.com` })) })
      const message = yield* settled(id, status)
      assert.strictEqual(statuses(message.emailMetadata.deliveries), deliveries)
      const copies = mails.filter(({ parsed }) => parsed.subject === content.subject)
      assert.lengthOf(copies, status === "delivered" ? 1 : 0)
      if (status === "queued") {
        assert.strictEqual(message.retryCount, 1)
        // The attempt was between these times.
        const next = Date.parse(message.errorDetails.nextRetryAt)
        assert.isAtLeast(next - Date.parse(message.createdAt), 24_000)
        assert.isAtMost(next - Date.parse(message.updatedAt), 36_000)
      }
      if (status === "failed") assert.strictEqual(message.errorDetails.code, "message_refused")
      if (status === "bounced") assert.strictEqual(message.emailMetadata.deliveries[0].smtpCode, 550)
    })
  )

  it.effect("can be scheduled and cancelled", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const scheduledAt = new Date(Date.now() + 3_600_000).toISOString()
      const { id, status } = yield* accepted({ scheduledAt })
      assert.strictEqual(status, "scheduled")
      const cancelled = yield* call("POST", `/v1/messages/${id}/cancel`)
      assert.deepStrictEqual([cancelled.body.status, cancelled.body.errorDetails.code], ["failed", "cancelled"])
      assert.strictEqual((yield* call("POST", `/v1/messages/${id}/cancel`)).status, 409)
      const due = yield* accepted({ scheduledAt })
      yield* dueNow
      // The worker looks for due messages after a new one.
      yield* accepted()
      const late = yield* settled(due.id, "delivered")
      assert.strictEqual(statuses(late.statusHistory), "scheduled pending processing sent delivered")
      const { parsed } = yield* relayed(({ parsed }) => parsed.messageId === late.emailMetadata.messageId)
      assert.strictEqual(parsed.date?.slice(0, 19), late.scheduledAt.slice(0, 19))
    })
  )

  it.effect("to a contact has one recipient for repeated addresses", () =>
    Effect.gen(function* () {
      const first = yield* accepted({ to: [{ email: "carol@example.com" }] })
      const { emailMetadata } = yield* accepted({
        to: [{ contactId: first.toParticipantIds[0] }, { email: "CAROL@example.com" }]
      })
      assert.deepStrictEqual(emailMetadata.to, ["carol@example.com"])
    })
  )

  it.effect("is refused with all errors of its fields, alone or in a batch", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const invalid = { channel: "email", to: [], email: { text: 1 }, nonsense: 1 }
      const fields = {
        to: ["must name at least one recipient"],
        "email.text": ["must be text"],
        "email.subject": ["is required without a template"],
        nonsense: ["is not a known field"]
      }
      const refused = yield* call("POST", "/v1/messages", invalid)
      assert.deepStrictEqual(
        [refused.status, refused.body],
        [422, { _tag: "ValidationError", message: "The request body is invalid", fields }]
      )
      const { body } = yield* call("POST", "/v1/messages/batch", {
        messages: [send(), invalid, send({}, { templateId: randomUUID() })]
      })
      assert.deepStrictEqual(
        body.results.map((result: { status: number; error?: { _tag: string } }) => [result.status, result.error?._tag]),
        [
          [201, undefined],
          [422, "ValidationError"],
          [404, "ResourceNotFoundError"]
        ]
      )
    })
  )
})
