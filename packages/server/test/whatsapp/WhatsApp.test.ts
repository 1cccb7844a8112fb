import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { TestDatabase } from "@switchboard/store/testing/TestDatabase"
import { Effect } from "effect"
import { LiveService, messageOf, type ServiceResponse, settled, until } from "../LiveService.js"

const call = (method: string, path: string, body?: unknown) =>
  Effect.flatMap(LiveService, (service) => service.call(method, path, body))

let phones = 0

/** A phone that no other test uses. The last digits select what the handset simulates. */
const newPhone = (ending = "9999") => {
  phones += 1
  return `+49151${String(phones).padStart(4, "0")}${ending}`
}

const template = { template: { name: "order_shipped", language: "en_US" } }

const send = (phone: string, whatsapp: object = template, others: object = {}) =>
  call("POST", "/v1/messages", { channel: "whatsapp", to: [{ phone }], whatsapp, ...others })

/** Sends a message that must be accepted. */
const accepted = (...message: Parameters<typeof send>) =>
  Effect.map(send(...message), ({ body, status }) => {
    assert.strictEqual(status, 201, JSON.stringify(body))
    return body
  })

/** The message on the handset that was sent for a message of the service. */
const onHandset = (messageId: string) => {
  const isSent = (one: { readonly messageId: string | null }) => one.messageId === messageId
  return Effect.map(
    until(call("GET", "/v1/handset?limit=100"), ({ body }: ServiceResponse) => body.items.some(isSent)),
    ({ body }) => body.items.find(isSent)
  )
}

interface ReceivedReply {
  readonly parentMessageId: string
  readonly content: { readonly text?: { readonly body: string }; readonly media?: { readonly caption: string } }
}

/** Replies from the phone of a message; returns the received message. */
const reply = Effect.fnUntraced(function* (messageId: string, text: string, file: object = {}) {
  const { id } = yield* onHandset(messageId)
  const { body, status } = yield* call("POST", `/v1/handset/${id}/reply`, { text, ...file })
  assert.strictEqual(status, 201, JSON.stringify(body))
  const isReply = ({ content, parentMessageId }: ReceivedReply) =>
    parentMessageId === messageId && (content.text?.body ?? content.media?.caption) === text
  const list = yield* until(call("GET", "/v1/messages?channel=whatsapp&limit=100"), (found: ServiceResponse) =>
    found.body.items.some(isReply)
  )
  return list.body.items.find(isReply)
})

/** A phone with an open service window, and the message that it answered. */
const withWindow = Effect.gen(function* () {
  const phone = newPhone()
  const { id } = yield* accepted(phone)
  yield* settled(id, "delivered")
  return { phone, id, answer: yield* reply(id, "Yes 😀") }
})

const upload = (contentType: string, octets: number) =>
  Effect.map(
    call("POST", "/v1/attachments", {
      filename: "file",
      contentType,
      content: Buffer.alloc(octets, "x").toString("base64")
    }),
    ({ body }): string => body.id
  )

const statuses = ({ statusHistory }: { readonly statusHistory: ReadonlyArray<{ readonly status: string }> }) =>
  statusHistory.map(({ status }) => status)

layer(LiveService.layer(), { excludeTestServices: true })("A WhatsApp message to the local handset", (it) => {
  it.effect("is delivered as a template, and read by the reply, which opens the window", () =>
    Effect.gen(function* () {
      const phone = newPhone()
      const body = yield* accepted(phone)
      assert.deepInclude(body, { status: "pending", channel: "whatsapp", emailMetadata: null })
      assert.deepStrictEqual(body.content, { from: "+15550100000", ...template })
      assert.deepInclude(body.whatsappMetadata, { waId: phone.slice(1), providerMessageId: null })
      const delivered = yield* settled(body.id, "delivered")
      assert.strictEqual(delivered.provider, "whatsapp")
      assert.deepStrictEqual(statuses(delivered), ["pending", "processing", "sent", "delivered"])
      const { id, request, text } = yield* onHandset(body.id)
      assert.strictEqual(text, "order_shipped")
      assert.deepStrictEqual(request, {
        messaging_product: "whatsapp",
        recipient_type: "individual",
        to: phone.slice(1),
        type: "template",
        template: { name: "order_shipped", language: { code: "en_US" } }
      })
      const { conversationCategory, deliveries, providerMessageId, windowExpiresAt } = delivered.whatsappMetadata
      assert.deepStrictEqual([providerMessageId, conversationCategory], [`wamid.${id}`, "service"])
      assert.deepInclude(deliveries[0], { recipient: phone, status: "delivered", providerMessageId })
      assert.isUndefined(windowExpiresAt)

      const answer = yield* reply(body.id, "Thank you 😀")
      assert.deepInclude(answer, { direction: "inbound", status: "delivered", channel: "whatsapp" })
      assert.deepStrictEqual(answer.content, { from: phone, text: { body: "Thank you 😀" } })
      const read = yield* settled(body.id, "read")
      assert.strictEqual(read.conversationId, answer.conversationId)
      const { body: conversation } = yield* call("GET", `/v1/conversations/${answer.conversationId}`)
      assert.deepStrictEqual([conversation.status, conversation.channels], ["active", ["whatsapp"]])
      const { body: windows } = yield* call(
        "GET",
        `/v1/whatsapp/service-windows?filters=${encodeURIComponent(JSON.stringify({ participantId: answer.fromParticipantId }))}`
      )
      assert.lengthOf(windows.items, 1)
      assert.deepInclude(windows.items[0], { isServiceWindowActive: true, isFreeEntryPointActive: false })

      const free = yield* accepted(phone, { text: { body: "At nine? https://example.com", previewUrl: true } })
      assert.strictEqual(free.whatsappMetadata.windowExpiresAt, windows.items[0].serviceWindowExpiresAt)
      assert.strictEqual(free.conversationId, answer.conversationId)
      yield* settled(free.id, "delivered")
      assert.deepStrictEqual((yield* onHandset(free.id)).request.text, {
        body: "At nine? https://example.com",
        preview_url: true
      })
    })
  )

  it.effect("takes media, a template of the organization, a draft and a resend within the window", () =>
    Effect.gen(function* () {
      const { phone } = yield* withWindow
      const attachmentId = yield* upload("image/png", 1_000)
      const media = yield* accepted(phone, { media: { attachmentId, caption: "A picture" } })
      assert.deepInclude(media.content.media, { kind: "image", contentType: "image/png", size: 1_000, attachmentId })
      yield* settled(media.id, "delivered")
      assert.deepInclude((yield* onHandset(media.id)).request, { type: "image" })
      const { body: again, status } = yield* call("POST", `/v1/messages/${media.id}/resend`, {})
      assert.strictEqual(status, 201, JSON.stringify(again))
      assert.deepStrictEqual(again.content, media.content)
      yield* settled(again.id, "delivered")

      const { body: stored } = yield* call("POST", "/v1/email/templates", {
        name: phone,
        channel: "whatsapp",
        text: "Hello {{name}}"
      })
      const rendered = yield* accepted(phone, { templateId: stored.id, templateData: { name: "Ada" } })
      assert.deepInclude(rendered.content, { text: { body: "Hello Ada" }, templateId: stored.id, templateVersion: 1 })
      yield* settled(rendered.id, "delivered")

      const { body: draft } = yield* call("POST", "/v1/drafts", {
        channel: "whatsapp",
        recipients: [{ whatsappId: phone.slice(1) }],
        content: { text: "From a draft" }
      })
      const sent = yield* call("POST", `/v1/drafts/${draft.id}/send`, {})
      assert.strictEqual(sent.status, 201, JSON.stringify(sent.body))
      assert.deepStrictEqual(sent.body.content.text, { body: "From a draft" })
      yield* settled(sent.body.id, "delivered")
    })
  )

  it.effect("is answered with a file, which is downloaded from the handset", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* LiveService
      const { id } = yield* withWindow
      const attachmentId = yield* upload("application/pdf", 100_000)
      const answer = yield* reply(id, "The invoice", { attachmentId })
      assert.deepInclude(answer.content.media, {
        ...{ kind: "document", contentType: "application/pdf", filename: "file" },
        ...{ caption: "The invoice", size: 100_000 }
      })
      const { body } = yield* call("GET", `/v1/messages/${answer.id}/attachments`)
      const { pathname } = new URL(body.items[0].url)
      const text = yield* Effect.promise(() => fetch(`${baseUrl}${pathname}`).then((response) => response.text()))
      assert.strictEqual(text, "x".repeat(100_000))
    })
  )

  it.effect("fails, or waits, as the number of the phone and the name of the template select", () =>
    Effect.gen(function* () {
      const undeliverable = yield* settled((yield* accepted(newPhone("0001"))).id, "failed")
      assert.deepInclude(undeliverable.errorDetails, { code: "delivery_failed" })
      assert.deepInclude(undeliverable.errorDetails.details, { errorCode: "131026", reason: "user_unknown" })
      const unwanted = yield* settled((yield* accepted(newPhone("0002"))).id, "failed")
      assert.deepInclude(unwanted.whatsappMetadata.deliveries[0], { errorCode: "131049", reason: "policy" })
      const throttled = yield* settled((yield* accepted(newPhone("0003"))).id, "delivered")
      assert.strictEqual(throttled.retryCount, 0)
      const { id } = yield* accepted(newPhone(), { template: { name: "unknown_template", language: "de" } })
      const unknown = yield* settled(id, "failed")
      assert.deepInclude(unknown.whatsappMetadata.deliveries[0], { errorCode: "132001", reason: "content" })
      assert.strictEqual(unknown.deliveryAttempts, 1)
    })
  )

  it.effect("is refused with the reason", () =>
    Effect.gen(function* () {
      const { phone } = yield* withWindow
      const stranger = newPhone()
      const text = { text: { body: "Hello" } }
      const tooLarge = yield* upload("image/jpeg", 5 * 1024 * 1024 + 1)
      const { body: contact } = yield* call("POST", "/v1/participants", { name: "Ada", email: `${phone}@example.com` })
      const refusals: ReadonlyArray<readonly [string, object, object, string, string]> = [
        [stranger, text, {}, "whatsapp", "no service window is open"],
        [phone, { ...text, ...template }, {}, "whatsapp", "one of text, template, media and templateId"],
        [phone, {}, {}, "whatsapp", "one of text, template, media and templateId"],
        [phone, { ...text, templateData: {} }, {}, "whatsapp.templateData", "without templateId"],
        [phone, { text: { body: "" } }, {}, "whatsapp.text.body", "1 to 4096 characters"],
        [phone, { template: { name: "Order!", language: "en" } }, {}, "whatsapp.template.name", "lower-case letters"],
        [phone, { media: { attachmentId: tooLarge } }, {}, "whatsapp.media.attachmentId", "5120 KiB"],
        [phone, text, { to: [{ phone }, { phone: stranger }] }, "to", "1"],
        [phone, text, { to: [{ contactId: contact.id }] }, "to.0.contactId", "without a WhatsApp id"],
        [phone, text, { to: [{ phone: "+999123456789" }] }, "to.0.phone", "a country can have"],
        [phone, text, { cc: [{ phone }] }, "cc", "is not a known field"]
      ]
      for (const [to, whatsapp, others, field, words] of refusals) {
        const { body, status } = yield* send(to, whatsapp, others)
        assert.strictEqual(status, 422, JSON.stringify(body))
        assert.include(body.fields[field]?.join(), words, JSON.stringify(body))
      }
      const missing = yield* send(phone, { media: { attachmentId: contact.id } })
      assert.deepStrictEqual([missing.status, missing.body._tag], [404, "ResourceNotFoundError"])
    })
  )

  it.effect("goes to a contact, once for an idempotency key", () =>
    Effect.gen(function* () {
      const phone = newPhone()
      const { body: contact } = yield* call("POST", "/v1/participants", { name: "Ada", whatsappId: phone })
      const others = { to: [{ contactId: contact.id }], idempotencyKey: phone }
      const first = yield* accepted(phone, template, others)
      assert.deepStrictEqual(first.toParticipantIds, [contact.id])
      const again = yield* send(phone, template, others)
      assert.deepStrictEqual([again.body.id, again.headers.get("idempotent-replayed")], [first.id, "true"])
      yield* settled(first.id, "delivered")
      assert.strictEqual((yield* onHandset(first.id)).to, phone)
    })
  )

  it.effect("fails if its window closes before it is sent", () =>
    Effect.gen(function* () {
      const { answer, phone } = yield* withWindow
      const later = { scheduledAt: new Date(Date.now() + 3_600_000) }
      const free = yield* accepted(phone, { text: { body: "Too late" } }, later)
      const templated = yield* accepted(phone, { template: { name: "reminder", language: "en_US" } }, later)
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE whatsapp_service_windows SET expires_at = now() - interval '1 second'
        WHERE participant_id = ${answer.fromParticipantId}`
      yield* sql`UPDATE whatsapp_waiting SET due_at = now() WHERE message_id IN (${free.id}, ${templated.id})`
      const failed = yield* settled(free.id, "failed")
      assert.strictEqual(failed.errorDetails.code, "window_closed")
      assert.strictEqual(failed.errorDetails.details.reason, "policy")
      yield* settled(templated.id, "delivered")
      const { body: shown } = yield* call("GET", "/v1/handset?limit=100")
      assert.isFalse(shown.items.some((one: { readonly messageId: string }) => one.messageId === free.id))
      assert.strictEqual((yield* messageOf(free.id)).deliveryAttempts, 1)
    }).pipe(Effect.provide(TestDatabase))
  )

  it.effect("counts in the usage of its channel and in the statistics", () =>
    Effect.gen(function* () {
      const usage = Effect.map(call("GET", "/v1/organizations/current"), ({ body }) => body)
      const stats = Effect.map(call("GET", "/v1/whatsapp/stats"), ({ body }) => body)
      const [usedBefore, before] = [yield* usage, yield* stats]
      yield* settled((yield* accepted(newPhone())).id, "delivered")
      const usedAfter = yield* usage
      assert.deepStrictEqual(
        [usedAfter.whatsappUsed - usedBefore.whatsappUsed, usedAfter.smsUsed, usedAfter.emailUsed],
        [1, 0, 0]
      )
      yield* until(stats, (after) => after.totalSent > before.totalSent && after.totalDelivered > before.totalDelivered)
    })
  )
})
