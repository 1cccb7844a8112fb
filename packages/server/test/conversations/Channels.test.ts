import { randomInt, randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Laptop } from "../console/Laptop.js"
import { send, until } from "../LiveService.js"

const call = (method: string, path: string, body?: unknown) =>
  Effect.flatMap(Laptop, (laptop) => laptop.call(method, path, body))

/** The first item of a list that matches, as soon as it is there. */
const found = <A>(path: string, matches: (item: A) => boolean) =>
  until(
    Effect.map(call("GET", path), ({ body }) => body.items.find(matches)),
    (item) => item !== undefined
  )

/** Accepts a message; returns it. */
const accepted = Effect.fnUntraced(function* (request: unknown) {
  const { body, status } = yield* call("POST", "/v1/messages", request)
  assert.strictEqual(status, 201, JSON.stringify(body))
  return body
})

interface Received {
  readonly parentMessageId: string | null
}

/** Replies to a message where it arrived, in the mailbox or on the handset; returns the received message. */
const replyTo = Effect.fnUntraced(function* ({ channel, id }: { readonly channel: string; readonly id: string }) {
  const inbox = channel === "email" ? "/v1/mailbox" : "/v1/handset"
  const { id: arrived } =
    channel === "email"
      ? yield* found(`${inbox}?messageId=${id}`, () => true)
      : yield* found<{ readonly messageId: string }>(`${inbox}?limit=100`, ({ messageId }) => messageId === id)
  const { body, status } = yield* call("POST", `${inbox}/${arrived}/reply`, { text: "Thank you" })
  assert.strictEqual(status, 201, JSON.stringify(body))
  return yield* found<Received>("/v1/messages?limit=100", ({ parentMessageId }) => parentMessageId === id)
})

const channelsOf = (id: string) => Effect.map(call("GET", `/v1/conversations/${id}`), ({ body }) => body.channels)

layer(Laptop.Live, { excludeTestServices: true })("The conversations of a contact", (it) => {
  it.effect("are one for each channel, unless a send names another", () =>
    Effect.gen(function* () {
      const contact = { email: `${randomUUID()}@example.com`, phone: `+4930${randomInt(1e8, 1e9 - 1)}9` }
      const { body: ada } = yield* call("POST", "/v1/participants", { name: "Ada", ...contact })
      const to = [{ contactId: ada.id }]
      const mail = send({ to }, { subject: randomUUID() })
      const text = { channel: "sms", to, sms: { text: "Hello" } }

      const { conversationId: byMail } = yield* replyTo(yield* accepted(mail))
      const { conversationId: byText, fromParticipantId } = yield* replyTo(yield* accepted(text))
      assert.strictEqual(fromParticipantId, ada.id)
      assert.notStrictEqual(byText, byMail)
      assert.deepStrictEqual([yield* channelsOf(byMail), yield* channelsOf(byText)], [["email"], ["sms"]])
      const next = yield* accepted({ ...text, sms: { text: "Are you there?" } })
      assert.strictEqual(next.conversationId, byText)

      const named = yield* accepted({ ...text, sms: { text: "About your mail" }, conversationId: byMail })
      assert.deepStrictEqual(yield* channelsOf(byMail), ["email", "sms"])
      assert.strictEqual((yield* replyTo(named)).conversationId, byMail)
      const filters = encodeURIComponent(JSON.stringify({ channel: "sms" }))
      const { body: listed } = yield* call("GET", `/v1/conversations?filters=${filters}`)
      assert.includeMembers(
        listed.items.map(({ id }: { readonly id: string }) => id),
        [byMail, byText]
      )

      const other = yield* accepted(send({ to, conversationId: byText }, { subject: randomUUID() }))
      assert.deepStrictEqual(yield* channelsOf(byText), ["sms", "email"])
      assert.strictEqual((yield* replyTo(other)).conversationId, byText)
    })
  )
})
