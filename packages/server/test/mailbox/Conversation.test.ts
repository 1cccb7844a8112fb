import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { startProcess } from "@switchboard/server/demo/ServerProcess"
import { Context, Effect, Layer } from "effect"
import { caller, type ServiceResponse, send, temporaryFolder, until } from "../LiveService.js"
import { base } from "../ServiceProcess.js"

/** The service with embedded database and local mailbox, without external services. */
class Laptop extends Context.Tag("test/Laptop")<Laptop, ReturnType<typeof caller>>() {
  static readonly Live = Layer.scoped(
    Laptop,
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const { baseUrl } = yield* startProcess({ ...base(folder), DNS_SERVERS: "127.0.0.1:9" })
      return caller(baseUrl)
    })
  )
}

const get = (path: string) => Effect.flatMap(Laptop, (call) => call("GET", path))

const becomes = (id: string, status: string) =>
  until(get(`/v1/messages/${id}`), ({ body }: ServiceResponse) => body.status === status)

/** Sends a message, and returns its mail from the mailbox. */
const arrived = Effect.fnUntraced(function* (
  overrides: Readonly<Record<string, unknown>> = {},
  email: Readonly<Record<string, unknown>> = {}
) {
  const call = yield* Laptop
  const { body: message } = yield* call("POST", "/v1/messages", send(overrides, email))
  yield* becomes(message.id, "delivered")
  const { body } = yield* get("/v1/mailbox?limit=100")
  const mail = body.items.find(
    ({ messageId }: { readonly messageId: string }) => messageId === message.emailMetadata.messageId
  )
  return { message, mail }
})

const reply = (mail: { readonly id: string }, body: Readonly<Record<string, unknown>>) =>
  Effect.flatMap(Laptop, (call) => call("POST", `/v1/mailbox/${mail.id}/reply`, body))

/** The message of a reply. */
const received = (messageId: string) =>
  Effect.map(
    until(
      Effect.map(get("/v1/messages?limit=100"), ({ body }) =>
        body.items.find(
          ({
            direction,
            emailMetadata
          }: {
            readonly direction: string
            readonly emailMetadata: { messageId: string }
          }) => direction === "inbound" && emailMetadata.messageId === messageId
        )
      ),
      (found) => found !== undefined
    ),
    (message) => message
  )

layer(Laptop.Live, { excludeTestServices: true, timeout: "60 seconds" })("The local mailbox", (it) => {
  it.effect("runs a complete conversation in one thread", () =>
    Effect.gen(function* () {
      const call = yield* Laptop
      const { mail, message } = yield* arrived({ to: [{ email: "ada@example.com" }, { email: "bob@example.com" }] })
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
      const { mail } = yield* arrived({}, { replyTo: ["back@example.com"] })
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
      const call = yield* Laptop
      const email = `${randomUUID()}+complain@example.com`
      const { body } = yield* call("POST", "/v1/messages", send({ to: [{ email }] }))
      yield* becomes(body.id, "complained")
      const { body: block } = yield* get(`/v1/email/blocks/check?email=${encodeURIComponent(email)}`)
      assert.strictEqual(block.block.reason, "complaint")
    })
  )

  it.effect("receives forwarded mail", () =>
    Effect.gen(function* () {
      const call = yield* Laptop
      const [from, forwardTo] = [`${randomUUID()}@example.com`, `${randomUUID()}@elsewhere.test`]
      const match = { sender: from }
      const { status } = yield* call("POST", "/v1/email/forwarding/rules", {
        name: "On",
        match,
        forwardTo: [forwardTo]
      })
      assert.strictEqual(status, 201)
      const { mail } = yield* arrived({ to: [{ email: from }] })
      const { body: replyMail } = yield* reply(mail, { text: "Please read" })
      const { body } = yield* until(get("/v1/mailbox?limit=100"), ({ body }: ServiceResponse) =>
        body.items.some(({ rcptTo }: { readonly rcptTo: ReadonlyArray<string> }) => rcptTo.includes(forwardTo))
      )
      const [latest] = body.items
      assert.deepInclude(latest, { from, rcptTo: [forwardTo], messageId: replyMail.messageId })
      assert.match(latest.mailFrom, /^f\+.*@bounce\.localhost\.test$/)
    })
  )
})
