import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Laptop } from "../console/Laptop.js"
import { type ServiceResponse, send, until } from "../LiveService.js"

const call = (method: string, path: string, body?: unknown) =>
  Effect.flatMap(Laptop, (laptop) => laptop.call(method, path, body))

const get = (path: string) => call("GET", path)

const becomes = (id: string, status: string) =>
  Effect.map(
    until(get(`/v1/messages/${id}`), ({ body }: ServiceResponse) => body.status === status),
    ({ body }) => body
  )

/** Sends a message, and returns its mail from the mailbox. */
const arrived = Effect.fnUntraced(function* (
  to: ReadonlyArray<string> = [`${randomUUID()}@example.com`],
  email: Readonly<Record<string, unknown>> = {}
) {
  const { body: message } = yield* call("POST", "/v1/messages", send({ to: to.map((email) => ({ email })) }, email))
  yield* becomes(message.id, "delivered")
  const { body } = yield* get(`/v1/mailbox?messageId=${message.id}`)
  assert.lengthOf(body.items, 1)
  const mail: { readonly id: string } = body.items[0]
  return { message, mail }
})

const reply = (mail: { readonly id: string }, body: Readonly<Record<string, unknown>>) =>
  call("POST", `/v1/mailbox/${mail.id}/reply`, body)

interface Listed {
  readonly id: string
  readonly direction: string
  readonly emailMetadata: { readonly messageId: string }
}

/** The message of a reply. */
const received = (messageId: string) =>
  until(
    Effect.map(get("/v1/messages?limit=100"), ({ body }) =>
      body.items.find((one: Listed) => one.direction === "inbound" && one.emailMetadata.messageId === messageId)
    ),
    (found) => found !== undefined
  )

const blockReason = (email: string) =>
  Effect.map(get(`/v1/email/blocks/check?email=${encodeURIComponent(email)}`), ({ body }) => body.block?.reason)

layer(Laptop.Live, { excludeTestServices: true })("The local mailbox", (it) => {
  it.effect("runs a complete conversation in one thread", () =>
    Effect.gen(function* () {
      const { mail, message } = yield* arrived(["ada@example.com", "bob@example.com"])
      const { body: replyMail, status } = yield* reply(mail, { text: "Thank you!\nWhen will it be here?" })
      assert.strictEqual(status, 201, JSON.stringify(replyMail))
      assert.deepInclude(replyMail, { from: "ada@example.com", subject: `Re: ${message.content.subject}` })
      assert.match(replyMail.to[0], /^r\+.*@localhost\.test$/)
      assert.match(replyMail.response, /^250 /)
      const inbound = yield* received(replyMail.messageId)
      assert.deepInclude(inbound, { parentMessageId: message.id, isAutomated: false, status: "delivered" })
      assert.include(inbound.content.text, "When will it be here?")
      assert.include(inbound.content.text, "> Hello")

      const again = yield* call("POST", "/v1/email/send", {
        to: "ada@example.com",
        subject: replyMail.subject,
        html: "<p>Tomorrow</p>",
        inReplyToMessageId: inbound.id
      })
      yield* becomes(again.body.id, "delivered")
      const { body: thread } = yield* get(`/v1/email/threads/by-message/${message.id}`)
      assert.strictEqual(thread.messageCount, 3)
      const { body: messages } = yield* get(`/v1/email/threads/${thread.id}/messages`)
      assert.deepStrictEqual(
        messages.items.map(({ id }: { readonly id: string }) => id),
        [message.id, inbound.id, again.body.id]
      )
    })
  )

  it.effect("refuses a reply to another address with an explanation", () =>
    Effect.gen(function* () {
      const { mail } = yield* arrived(undefined, { replyTo: ["back@example.com"] })
      const elsewhere = yield* reply(mail, { text: "Hello?" })
      assert.strictEqual(elsewhere.status, 409)
      assert.include(elsewhere.body.message, "back@example.com: 550 5.7.1")
    })
  )

  it.effect.each([
    { kind: "bounce", status: "bounced", reason: "hard_bounce" },
    { kind: "complaint", status: "complained", reason: "complaint" },
    { kind: "read", status: "read", reason: undefined }
  ])("simulates the event $kind, which has the effects of the real one", ({ kind, reason, status }) =>
    Effect.gen(function* () {
      const recipient = `${randomUUID()}@example.com`
      const { mail, message } = yield* arrived([recipient], { trackOpens: kind === "read" })
      const simulated = yield* call("POST", `/v1/mailbox/${mail.id}/simulate`, { kind })
      assert.deepStrictEqual([simulated.status, simulated.body], [200, { success: true }])
      const { errorDetails } = yield* becomes(message.id, status)
      assert.strictEqual(yield* blockReason(recipient), reason)
      if (kind === "bounce") {
        assert.deepInclude(errorDetails, { code: "delivery_failed", retryable: false })
        assert.deepInclude(errorDetails.details, { smtpCode: 550, enhancedCode: "5.1.1", class: "permanent" })
      }
      const { body } = yield* get(`/v1/messages/${message.id}/timeline`)
      assert.include(
        body.events.map(({ type }: { readonly type: string }) => type),
        `message.${status}`
      )
    })
  )
})
