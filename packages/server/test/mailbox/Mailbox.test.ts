import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { freePort } from "@switchboard/domain/testing/FreePort"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Context, Effect, Layer, Redacted } from "effect"
import { adminKey, caller, type ServiceResponse, send, until } from "../LiveService.js"
import { startService, testSettings } from "../TestService.js"

/** The service without external services: without a relay it uses its mailbox. Links in mail contain its port. */
class Laptop extends Context.Tag("test/Laptop")<Laptop, { readonly baseUrl: string }>() {
  static readonly Live = Layer.scoped(
    Laptop,
    Effect.gen(function* () {
      const settings = testSettings(Redacted.value(yield* TestDatabaseUrl), adminKey)
      return yield* startService({ ...settings, PORT: String(yield* freePort), DNS_SERVERS: "127.0.0.1:9" })
    })
  ).pipe(Layer.provide(TestDatabaseUrl.Live))
}

const call = (method: string, path: string, body?: unknown, key?: string) =>
  Effect.flatMap(Laptop, ({ baseUrl }) => caller(baseUrl, key)(method, path, body))

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
  const { body } = yield* get("/v1/mailbox?limit=100")
  const mail: { readonly id: string } = body.items.find(
    ({ messageId }: { readonly messageId: string }) => messageId === message.emailMetadata.messageId
  )
  return { message, mail }
})

const reply = (mail: { readonly id: string }, body: Readonly<Record<string, unknown>>) =>
  call("POST", `/v1/mailbox/${mail.id}/reply`, body)

const simulate = (mail: { readonly id: string }, body: unknown, key?: string) =>
  call("POST", `/v1/mailbox/${mail.id}/simulate`, body, key)

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

const eventTypes = (id: string) =>
  Effect.map(
    get(`/v1/messages/${id}/timeline`),
    ({ body }): ReadonlyArray<string> => body.events.map(({ type }: { readonly type: string }) => type)
  )

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

      const bob = yield* reply(mail, { text: "And I?", from: "Bob@example.com" })
      assert.strictEqual((yield* received(bob.body.messageId)).parentMessageId, message.id)
    })
  )

  it.effect("refuses replies to other addresses with an explanation, and does not find replies to unknown mails", () =>
    Effect.gen(function* () {
      const { mail } = yield* arrived(undefined, { replyTo: ["back@example.com"] })
      const elsewhere = yield* reply(mail, { text: "Hello?" })
      assert.strictEqual(elsewhere.status, 409)
      assert.include(elsewhere.body.message, "back@example.com: 550 5.7.1")
      assert.strictEqual((yield* reply({ id: randomUUID() }, { text: "Hello?" })).status, 404)
      const stranger = yield* reply(mail, { text: "Hello?", from: "eve@example.com" })
      assert.deepStrictEqual([stranger.status, Object.keys(stranger.body.fields)], [422, ["from"]])
    })
  )

  it.effect("reports a complaint by mail, and blocks the recipient", () =>
    Effect.gen(function* () {
      const email = `${randomUUID()}+complain@example.com`
      const { body } = yield* call("POST", "/v1/messages", send({ to: [{ email }] }))
      yield* becomes(body.id, "complained")
      assert.strictEqual(yield* blockReason(email), "complaint")
    })
  )

  it.effect("receives forwarded mail", () =>
    Effect.gen(function* () {
      const [from, forwardTo] = [`${randomUUID()}@example.com`, `${randomUUID()}@elsewhere.test`]
      const rule = { name: "On", match: { sender: from }, forwardTo: [forwardTo] }
      assert.strictEqual((yield* call("POST", "/v1/email/forwarding/rules", rule)).status, 201)
      const { mail } = yield* arrived([from])
      const { body: replyMail } = yield* reply(mail, { text: "Please read" })
      const { body } = yield* until(get("/v1/mailbox?limit=100"), ({ body }: ServiceResponse) =>
        body.items.some(({ rcptTo }: { readonly rcptTo: ReadonlyArray<string> }) => rcptTo.includes(forwardTo))
      )
      const [latest] = body.items
      assert.deepInclude(latest, { from, rcptTo: [forwardTo], messageId: replyMail.messageId })
      assert.match(latest.mailFrom, /^f\+.*@bounce\.localhost\.test$/)
    })
  )

  it.effect("simulates a bounce that comes back as a hard bounce does, and blocks all recipients", () =>
    Effect.gen(function* () {
      const recipients = [`${randomUUID()}@example.com`, `${randomUUID()}@example.com`]
      const { mail, message } = yield* arrived(recipients)
      const { body, status } = yield* simulate(mail, { kind: "bounce" })
      assert.deepStrictEqual([status, body], [200, { success: true }])
      const { emailMetadata, errorDetails } = yield* becomes(message.id, "bounced")
      assert.deepInclude(errorDetails, { code: "delivery_failed", retryable: false })
      assert.deepInclude(errorDetails.details, { smtpCode: 550, enhancedCode: "5.1.1", class: "permanent" })
      assert.deepStrictEqual(
        emailMetadata.deliveries.map(({ status }: { readonly status: string }) => status),
        ["bounced", "bounced"]
      )
      assert.deepStrictEqual(yield* Effect.forEach(recipients, blockReason), ["hard_bounce", "hard_bounce"])
      assert.include(yield* eventTypes(message.id), "message.bounced")
    })
  )

  it.effect("simulates a complaint that is recorded as a report of a mailbox provider, and blocks the recipient", () =>
    Effect.gen(function* () {
      const recipient = `${randomUUID()}@example.com`
      const { mail, message } = yield* arrived([recipient])
      assert.strictEqual((yield* simulate(mail, { kind: "complaint" })).status, 200)
      yield* becomes(message.id, "complained")
      assert.strictEqual(yield* blockReason(recipient), "complaint")
      assert.include(yield* eventTypes(message.id), "message.complained")
    })
  )

  it.effect("simulates reading, which records the open of a tracked mail", () =>
    Effect.gen(function* () {
      const { mail, message } = yield* arrived(undefined, { trackOpens: true })
      assert.strictEqual((yield* simulate(mail, { kind: "read" })).status, 200)
      const { readAt } = yield* becomes(message.id, "read")
      assert.isString(readAt)
      assert.include(yield* eventTypes(message.id), "message.read")
    })
  )

  it.effect(
    "refuses a simulation without a pixel, for an unknown mail, another event, or without the permission to send",
    () =>
      Effect.gen(function* () {
        const { mail, message } = yield* arrived()
        const untracked = yield* simulate(mail, { kind: "read" })
        assert.deepInclude(untracked.body, { _tag: "ConflictError", resource: "mail" })
        assert.strictEqual(untracked.status, 409)
        assert.match(untracked.body.message, /no tracking pixel/)
        const unknown = yield* simulate({ id: randomUUID() }, { kind: "bounce" })
        assert.deepStrictEqual([unknown.status, unknown.body._tag], [404, "ResourceNotFoundError"])
        for (const body of [{ kind: "opened" }, {}, { kind: ["read"] }]) {
          const refused = yield* simulate(mail, body)
          assert.deepStrictEqual([refused.status, Object.keys(refused.body.fields)], [422, ["kind"]])
        }
        const { body: viewer } = yield* call("POST", "/v1/api-keys", { name: "viewer", roleName: "viewer" })
        assert.strictEqual((yield* simulate(mail, { kind: "bounce" }, viewer.key)).status, 403)
        assert.strictEqual((yield* call("GET", `/v1/messages/${message.id}`)).body.status, "delivered")
      })
  )
})
