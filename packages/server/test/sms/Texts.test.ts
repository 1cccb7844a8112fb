import { assert, layer } from "@effect/vitest"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Effect, Layer } from "effect"
import { LiveService, type ServiceResponse, until } from "../LiveService.js"

const Live = LiveService.layer({ SMS_UNIT_COST: "0.02" }).pipe(Layer.provideMerge(TestDatabaseUrl.Live))

const call = (method: string, path: string, body?: unknown) =>
  Effect.flatMap(LiveService, (service) => service.call(method, path, body))

let phones = 0

/** A phone that no other test uses. The last digits select what the handset simulates. */
const newPhone = (ending = "9999") => {
  phones += 1
  return `+49151${String(phones).padStart(4, "0")}${ending}`
}

const textTo = (phone: string, text: string, others: Readonly<Record<string, unknown>> = {}) =>
  call("POST", "/v1/messages", { channel: "sms", to: [{ phone }], sms: { text }, ...others })

const becomes = (id: string, status: string) =>
  Effect.map(
    until(call("GET", `/v1/messages/${id}`), ({ body }: ServiceResponse) => body.status === status),
    ({ body }) => body
  )

interface HandsetText {
  readonly id: string
  readonly messageId: string | null
  readonly text: string
}

/** The text of a message on the handset. */
const onHandset = (messageId: string) =>
  Effect.map(
    until(call("GET", "/v1/handset?limit=100"), ({ body }: ServiceResponse) =>
      body.items.some((one: HandsetText) => one.messageId === messageId)
    ),
    ({ body }): HandsetText => body.items.find((one: HandsetText) => one.messageId === messageId)
  )

/** Replies from the phone of a message; returns the received message. */
const reply = Effect.fnUntraced(function* (messageId: string, text: string) {
  const { id } = yield* onHandset(messageId)
  const { body, status } = yield* call("POST", `/v1/handset/${id}/reply`, { text })
  assert.strictEqual(status, 201, JSON.stringify(body))
  const { body: list } = yield* until(call("GET", "/v1/messages?channel=sms&limit=100"), (found: ServiceResponse) =>
    found.body.items.some(
      (one: { readonly parentMessageId: string | null; readonly content: { readonly text: string } }) =>
        one.parentMessageId === messageId && one.content.text === text
    )
  )
  return list.items.find(({ parentMessageId }: { readonly parentMessageId: string }) => parentMessageId === messageId)
})

layer(Live, { excludeTestServices: true })("A text message", (it) => {
  it.effect("reaches the phone octet for octet, and is delivered by its receipt", () =>
    Effect.gen(function* () {
      const text = `${"x".repeat(152)}€${"y".repeat(10)}`
      const { body, status } = yield* textTo(newPhone(), text)
      assert.deepStrictEqual([status, body.status], [201, "pending"])
      assert.deepInclude(body.content, { text, encoding: "gsm7", segments: 2 })
      assert.deepStrictEqual([body.cost, body.emailMetadata], ["0.04", null])
      const delivered = yield* becomes(body.id, "delivered")
      assert.strictEqual(delivered.provider, "smpp")
      assert.deepStrictEqual(
        delivered.statusHistory.map((entry: { readonly status: string }) => entry.status),
        ["pending", "processing", "sent", "delivered"]
      )
      const [delivery] = delivered.providerResponse.deliveries
      assert.strictEqual(delivery.status, "delivered")
      assert.strictEqual(delivery.providerMessageId, delivered.providerMessageId)
      assert.strictEqual((yield* onHandset(body.id)).text, text)
      const { body: timeline } = yield* call("GET", `/v1/messages/${body.id}/timeline`)
      assert.include(
        timeline.events.map(({ type }: { readonly type: string }) => type),
        "recipient.delivered"
      )
    })
  )

  it.effect("fails with the code of the receipt if it can't be delivered", () =>
    Effect.gen(function* () {
      const undeliverable = yield* textTo(newPhone("0001"), "Hello")
      const expiring = yield* textTo(newPhone("0002"), "Hello")
      const first = yield* becomes(undeliverable.body.id, "failed")
      assert.strictEqual(first.errorDetails.code, "delivery_failed")
      assert.strictEqual(first.errorDetails.details.errorCode, "UNDELIV 001")
      const second = yield* becomes(expiring.body.id, "failed")
      assert.deepInclude(second.errorDetails.details, { errorCode: "EXPIRED", reason: "expired" })
      assert.strictEqual(second.providerResponse.deliveries[0].reason, "expired")
      const { body: failures } = yield* call("GET", "/v1/analytics/failures")
      assert.sameMembers(
        failures.map(({ reason }: { readonly reason: string }) => reason),
        ["unknown", "expired"],
        JSON.stringify(failures)
      )
    })
  )

  it.effect("waits without a retry while the provider throttles", () =>
    Effect.gen(function* () {
      const { body } = yield* textTo(newPhone("0003"), "Hello")
      const delivered = yield* becomes(body.id, "delivered")
      assert.strictEqual(delivered.retryCount, 0)
      assert.isAtLeast(delivered.deliveryAttempts, 1)
    })
  )

  it.effect("begins a conversation with the reply of the phone", () =>
    Effect.gen(function* () {
      const phone = newPhone()
      const { body: question } = yield* textTo(phone, "Shall we meet?")
      yield* becomes(question.id, "delivered")
      const answer = yield* reply(question.id, "Yes 😀")
      assert.deepInclude(answer, { direction: "inbound", status: "delivered", channel: "sms" })
      assert.deepInclude(answer.content, { from: phone, text: "Yes 😀", encoding: "ucs2", segments: 1 })
      const { body: asked } = yield* call("GET", `/v1/messages/${question.id}`)
      assert.strictEqual(asked.conversationId, answer.conversationId)
      const { body: conversation } = yield* call("GET", `/v1/conversations/${answer.conversationId}`)
      assert.deepStrictEqual([conversation.status, conversation.channels], ["active", ["sms"]])
      const { body: next } = yield* textTo(phone, "At nine?")
      assert.strictEqual(next.conversationId, answer.conversationId)
      const { body: other } = yield* textTo(newPhone(), "At nine?")
      assert.isNull(other.conversationId)
    })
  )

  it.effect("is not sent to a phone that sent STOP, until it sends START", () =>
    Effect.gen(function* () {
      const phone = newPhone()
      const first = yield* textTo(phone, "News 1")
      yield* becomes(first.body.id, "delivered")
      yield* reply(first.body.id, " stop ")
      const { body: stopped, status } = yield* textTo(phone, "News 2")
      assert.deepStrictEqual([status, stopped.status], [201, "failed"])
      assert.deepInclude(stopped.errorDetails, { code: "recipient_blocked" })
      assert.strictEqual(stopped.errorDetails.details.reason, "opt_out")
      assert.strictEqual(stopped.providerResponse.deliveries[0].status, "suppressed")
      assert.deepStrictEqual((yield* call("GET", `/v1/messages/${stopped.id}`)).body, stopped)
      const { body: stoppedTimeline } = yield* call("GET", `/v1/messages/${stopped.id}/timeline`)
      assert.include(
        stoppedTimeline.events.map(({ type }: { readonly type: string }) => type),
        "message.failed"
      )
      const { body: both } = yield* textTo(phone, "News", { to: [{ phone }, { phone: newPhone() }] })
      assert.deepStrictEqual(
        (yield* becomes(both.id, "delivered")).providerResponse.deliveries.map(
          (one: { readonly status: string }) => one.status
        ),
        ["suppressed", "delivered"]
      )
      const { body: optOuts } = yield* call(
        "GET",
        `/v1/sms/opt-outs?filters=${encodeURIComponent(JSON.stringify({ phone }))}`
      )
      assert.deepInclude(optOuts.items[0], { phone, source: "recipient" })
      const { id } = yield* onHandset(first.body.id)
      yield* call("POST", `/v1/handset/${id}/reply`, { text: "START" })
      yield* until(
        call("GET", `/v1/sms/opt-outs?filters=${encodeURIComponent(JSON.stringify({ phone }))}`),
        ({ body }: ServiceResponse) => body.items.length === 0
      )
      yield* becomes((yield* textTo(phone, "News 3")).body.id, "delivered")
    })
  )

  it.effect("goes to a contact's phone, once for an idempotency key, and can be sent again", () =>
    Effect.gen(function* () {
      const phone = newPhone()
      const { body: contact } = yield* call("POST", "/v1/participants", { name: "Ada", phone })
      const request = {
        channel: "sms",
        to: [{ contactId: contact.id }, { phone }],
        sms: { text: "Hello" },
        idempotencyKey: phone
      }
      const first = yield* call("POST", "/v1/messages", request)
      assert.deepStrictEqual(first.body.toParticipantIds, [contact.id])
      const again = yield* call("POST", "/v1/messages", request)
      assert.deepStrictEqual(
        [again.status, again.body.id, again.headers.get("idempotent-replayed")],
        [201, first.body.id, "true"]
      )
      assert.strictEqual((yield* call("POST", "/v1/messages", { ...request, sms: { text: "Other" } })).status, 409)
      yield* becomes(first.body.id, "delivered")
      const { body: repeated, status } = yield* call("POST", `/v1/messages/${first.body.id}/resend`, {})
      assert.strictEqual(status, 201)
      assert.deepInclude(repeated.content, { text: "Hello", segments: 1 })
      yield* becomes(repeated.id, "delivered")
    })
  )

  it.effect("is sent from a draft, in a batch, and with the text of a template", () =>
    Effect.gen(function* () {
      const phone = newPhone()
      const draft = { channel: "sms", recipients: [{ phone }], content: { text: "From a draft" } }
      const { body: made } = yield* call("POST", "/v1/drafts", draft)
      const sent = yield* call("POST", `/v1/drafts/${made.id}/send`, {})
      assert.strictEqual(sent.status, 201, JSON.stringify(sent.body))
      assert.strictEqual(sent.body.content.text, "From a draft")
      const incomplete = yield* call("POST", "/v1/drafts", { ...draft, recipients: [{ phone: "4915" }] })
      const refused = yield* call("POST", `/v1/drafts/${incomplete.body.id}/send`, {})
      assert.deepStrictEqual([refused.status, Object.keys(refused.body.fields)], [422, ["recipients.0.phone"]])

      const { body: contact } = yield* call("POST", "/v1/participants", { name: "Ada", phone: newPhone() })
      const { body: mailOnly } = yield* call("POST", "/v1/participants", { name: "Bob", email: `${phone}@example.com` })
      const { body: template } = yield* call("POST", "/v1/email/templates", {
        name: phone,
        channel: "sms",
        text: "Hello {{name}}"
      })
      assert.deepInclude(template, { channel: "sms", text: "Hello {{name}}", version: 1 })
      assert.notProperty(template, "html")
      const variables = { name: "Ada" }
      const forms = [
        [{ body: "By body" }, "By body"],
        [{ body: "By body", text: "By text" }, "By text"],
        [{ templateId: template.id, variables }, "Hello Ada"],
        [{ templateName: template.name, variables, body: "unused" }, "Hello Ada"]
      ] as const
      for (const [content, text] of forms) {
        const byContact = { channel: "sms", recipients: [{ participantId: contact.id }], content: {} }
        const { body: created } = yield* call("POST", "/v1/drafts", byContact)
        yield* call("PATCH", `/v1/drafts/${created.id}`, { content })
        const { body: message } = yield* call("POST", `/v1/drafts/${created.id}/send`, {})
        assert.strictEqual(message.content?.text, text, JSON.stringify(message))
        assert.deepStrictEqual(message.toParticipantIds, [contact.id])
      }
      const { body: mailTemplate } = yield* call("POST", "/v1/email/templates", {
        name: `${phone} mail`,
        subject: "Reminder",
        html: "<p>Hello</p>"
      })
      const file = { filename: "a.txt", contentType: "text/plain", content: "aGVsbG8=" }
      const { body: attachment } = yield* call("POST", "/v1/attachments", file)
      const refusals = [
        [{ recipients: [{ participantId: mailOnly.id }] }, "recipients.0.participantId"],
        [{ recipients: [{ name: "Ada" }] }, "recipients.0.phone"],
        [{ content: { templateId: mailTemplate.id } }, "content.templateId"],
        [{ content: { body: "x", attachmentIds: [attachment.id] } }, "content.attachmentIds"],
        [{ content: { html: "<p>x</p>" } }, "content.text"],
        [{ channel: "voice" }, "channel"]
      ] as const
      for (const [changes, field] of refusals) {
        const { body: created } = yield* call("POST", "/v1/drafts", { ...draft, ...changes })
        const { body, status } = yield* call("POST", `/v1/drafts/${created.id}/send`, {})
        assert.deepStrictEqual([status, Object.keys(body.fields ?? {})], [422, [field]], JSON.stringify(body))
      }

      const reminder = {
        channel: "sms",
        to: [{ phone }],
        sms: { templateId: template.id, templateData: { name: "Ada" } }
      }
      const { body: batch } = yield* call("POST", "/v1/messages/batch", {
        messages: [reminder, { channel: "sms", to: [{ phone }], sms: {} }]
      })
      assert.deepStrictEqual(
        batch.results.map(({ status }: { readonly status: number }) => status),
        [201, 422]
      )
      assert.deepInclude(batch.results[0].message.content, { text: "Hello Ada", templateId: template.id })
    })
  )

  it.effect("is withdrawn before its time, and deleted", () =>
    Effect.gen(function* () {
      const scheduledAt = new Date(Date.now() + 3_600_000).toISOString()
      const { body } = yield* textTo(newPhone(), "Later", { scheduledAt })
      assert.strictEqual(body.status, "scheduled")
      assert.strictEqual((yield* call("POST", `/v1/messages/${body.id}/cancel`, {})).body.status, "failed")
      const { body: second } = yield* textTo(newPhone(), "Later", { scheduledAt })
      assert.strictEqual((yield* call("DELETE", `/v1/messages/${second.id}`)).status, 200)
    })
  )

  it.effect("is refused with the reason", () =>
    Effect.gen(function* () {
      const phone = newPhone()
      const refusals: ReadonlyArray<readonly [object, string, string]> = [
        [{ to: [{ phone: phone.slice(1) }] }, "to.0.phone", "plus and country code"],
        [{ to: [{ phone: "+999123456789" }] }, "to.0.phone", "a country can have"],
        [{ sms: { text: "" } }, "sms.text", "must have 1 to 1530 characters"],
        [{ sms: { text: "x".repeat(1_531) } }, "sms.text", "must have 1 to 1530 characters"],
        [{ sms: { text: "[".repeat(766) } }, "sms.text", "10 segments"],
        [{ sms: { text: "😀".repeat(336) } }, "sms.text", "10 segments"],
        [{ sms: { text: "x", from: "ACME" } }, "sms.from", "number of the organization"],
        [{ sms: {} }, "sms.text", "is required without a template"],
        [{ cc: [{ phone }] }, "cc", "is not a known field"]
      ]
      for (const [change, field, words] of refusals) {
        const { body, status } = yield* call("POST", "/v1/messages", {
          channel: "sms",
          to: [{ phone }],
          sms: { text: "x" },
          ...change
        })
        assert.strictEqual(status, 422)
        assert.include(body.fields[field]?.join(), words, JSON.stringify(body))
      }
      assert.strictEqual((yield* textTo(phone, "x".repeat(1_530))).body.content.segments, 10)
    })
  )

  it.effect("counts in the usage of its channel", () =>
    Effect.gen(function* () {
      const before = (yield* call("GET", "/v1/organizations/current")).body
      yield* textTo(newPhone(), "Hello")
      const after = (yield* call("GET", "/v1/organizations/current")).body
      assert.deepStrictEqual(
        [after.smsUsed - before.smsUsed, after.messagesUsed - before.messagesUsed, after.emailUsed - before.emailUsed],
        [1, 1, 0]
      )
    })
  )
})
