import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { deliver, ReceivingService, receivingDomain, verifiedDomain } from "../email/ReceivingService.js"
import { accepted, LiveService, send, until } from "../LiveService.js"

const unknown = "01a1fc1d-e1a0-7029-814e-d493ca640e30"

layer(ReceivingService.Shared, { excludeTestServices: true })("A message sent again", (it) => {
  it.effect("is a new message with the same content, recipients and attachments", () =>
    Effect.gen(function* () {
      const { call, mails } = yield* LiveService
      const request = send(
        {
          to: [{ email: "ada@example.com", name: "Ada" }],
          bcc: [{ email: "bob@example.com" }],
          tags: ["a"],
          categories: ["orders"]
        },
        {
          attachments: [
            { filename: "a.txt", content: "aGVsbG8=", contentId: "file@shop" },
            { filename: "a.ics", content: "aGVsbG8=", contentType: "text/calendar; method=REQUEST; charset=UTF-8" }
          ],
          headers: { "X-One": "1", "Auto-Submitted": "auto-generated" },
          replyTo: ['"Team, Support" <support@example.com>', "help@example.com"]
        }
      )
      const { body: first } = yield* call("POST", "/v1/messages", request)
      const { body, headers, status } = yield* call("POST", `/v1/messages/${first.id}/resend`)
      assert.strictEqual(status, 201, JSON.stringify(body))
      assert.strictEqual(headers.get("location"), `/v1/messages/${body.id}`)
      assert.isNull(headers.get("idempotent-replayed"))
      assert.notStrictEqual(body.id, first.id)
      assert.strictEqual(body.status, "pending")
      assert.deepStrictEqual(body.content, first.content)
      const { deliveries: _, messageId, ...addressing } = body.emailMetadata
      const { deliveries: __, messageId: firstMessageId, ...firstAddressing } = first.emailMetadata
      assert.deepStrictEqual(addressing, firstAddressing)
      assert.notStrictEqual(messageId, firstMessageId)
      assert.deepStrictEqual(body.content.replyTo, ["Team, Support <support@example.com>", "help@example.com"])
      assert.strictEqual(body.content.attachments[1]?.contentType, "text/calendar; method=REQUEST; charset=UTF-8")
      assert.deepStrictEqual([body.tags, body.categories], [first.tags, first.categories])

      const arrived = Effect.sync(() => mails.filter(({ parsed }) => parsed.subject === request.email.subject))
      const copies = yield* until(arrived, ({ length }) => length === 2)
      for (const { parsed, rcptTo } of copies) {
        assert.sameMembers([...rcptTo], ["ada@example.com", "bob@example.com"])
        assert.strictEqual(parsed.attachments.find(({ filename }) => filename === "a.txt")?.contentId, "<file@shop>")
        assert.strictEqual(parsed.attachments.find(({ filename }) => filename === "a.ics")?.method, "REQUEST")
        assert.deepStrictEqual(parsed.replyTo, [
          { name: "Team, Support", address: "support@example.com" },
          { name: "", address: "help@example.com" }
        ])
        assert.strictEqual(parsed.headers.find(({ key }) => key === "auto-submitted")?.value, "auto-generated")
      }
    })
  )

  it.effect("is one message for repeats shortly after each other", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const { id } = yield* accepted()
      const resend = Effect.map(call("POST", `/v1/messages/${id}/resend`), ({ body, headers, status }) => [
        status,
        body.id,
        headers.get("idempotent-replayed")
      ])
      const [, first] = yield* resend
      assert.deepStrictEqual(yield* resend, [201, first, "true"])
      assert.notStrictEqual(first, id)
    })
  )

  it.effect("is refused if the message was received, is unknown, or its sender is no longer allowed", () =>
    Effect.gen(function* () {
      const domain = "resent.test"
      const { call } = yield* LiveService
      yield* receivingDomain(domain, { addresses: ["support"] })
      assert.match(yield* deliver("ada@example.com", `support@${domain}`, "Subject: In\r\n\r\nHello"), /^250/)
      const { body } = yield* until(
        call("GET", "/v1/messages?limit=1"),
        ({ body }) => body.items[0]?.direction === "inbound"
      )
      const received = yield* call("POST", `/v1/messages/${body.items[0].id}/resend`)
      assert.deepStrictEqual(
        [received.status, received.body.message],
        [409, "Only an outbound message can be sent again: this one was received"]
      )
      const missing = yield* call("POST", `/v1/messages/${unknown}/resend`)
      assert.deepStrictEqual([missing.status, missing.body.resource], [404, "message"])

      const own = "resent-left.test"
      const { id: domainId } = yield* verifiedDomain(own)
      const { body: sent } = yield* call("POST", "/v1/messages", send({}, { from: `shop@${own}` }))
      assert.strictEqual((yield* call("DELETE", `/v1/email/domains/${domainId}`)).status, 200)
      // The sender is cached for half a second.
      const refused = yield* until(
        call("POST", `/v1/messages/${sent.id}/resend`, {}, { "Idempotency-Key": crypto.randomUUID() }),
        ({ status }) => status === 422
      )
      assert.property(refused.body.fields, "email.from")
    })
  )
})
