import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { accepted, LiveService, relayed, until } from "../../LiveService.js"
import { deliver, ReceivingService, receivingDomain } from "../ReceivingService.js"
import * as programs from "./Replies.js"

/** A domain that receives mail for `help@` and for signed reply addresses. */
const receiving = (domain: string) => receivingDomain(domain, { addresses: ["help"] })

/** Sends a message; returns it with its mail at the relay. */
const sentMail = Effect.fnUntraced(function* (domain: string, to: string, subject: string) {
  const from = `help@${domain}`
  const { emailMetadata, id } = yield* accepted({ to: [{ email: to }] }, { from, subject })
  const messageId: string = emailMetadata.messageId
  const { parsed } = yield* relayed(({ parsed }) => parsed.messageId === messageId)
  const replyTo = parsed.replyTo?.[0]?.address ?? ""
  assert.match(replyTo, new RegExp(`^r\\+${id}\\.[0-9a-f]{20}@${domain}$`))
  const got: programs.GotMail = { subject, messageId, references: "", from, replyTo }
  return { id: String(id), got }
})

/** Waits for the message received from an author. */
const receivedFrom = Effect.fnUntraced(function* (author: string) {
  const { call } = yield* LiveService
  const found = yield* until(
    Effect.map(call("GET", "/v1/messages?limit=100"), ({ body }) =>
      body.items.find(
        ({ content, direction }: { readonly content: { readonly from: string }; readonly direction: string }) =>
          direction === "inbound" && content.from.includes(author)
      )
    ),
    (message) => message !== undefined
  )
  return found
})

const receiveReply = Effect.fnUntraced(function* (domain: string, program: programs.Program) {
  const author = `ada-${randomUUID()}@example.com`
  const { got, id } = yield* sentMail(domain, author, `Your order ${randomUUID().slice(0, 8)}`)
  const { raw, to } = program(got, author)
  assert.match(yield* deliver(author, to, raw), /^250/)
  return { id, author, got, received: yield* receivedFrom(author) }
})

/** Replies, with the text that the author wrote. */
const known: ReadonlyArray<readonly [name: string, program: programs.Program, replyText: string]> = [
  ["Gmail", programs.gmail, "Thank you!"],
  ["Outlook in German", programs.outlook, "Schönen Dank!"],
  ["Apple Mail on a telephone", programs.appleMail, "Thanks – Ada"],
  [
    "a ticket system that names nothing, to the signed address",
    programs.ticketSystem,
    "Dear customer, we have got it."
  ],
  ["QQ Mail in Chinese, after a gateway rewrote our Message-ID", programs.rewrittenChinese, "Hello"]
]

layer(ReceivingService.Shared, { excludeTestServices: true })("A reply", (it) => {
  it.effect("joins its thread for every mail client", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      yield* receiving("answered.test")
      for (const [name, program, replyText] of known) {
        const { id, received } = yield* receiveReply("answered.test", program)
        assert.strictEqual(received.parentMessageId, id, name)
        assert.isFalse(received.isAutomated, name)
        assert.strictEqual(received.content.replyText.trim(), replyText, name)
        assert.include(received.content.text, replyText, name)
        const { body } = yield* call("GET", `/v1/email/threads/by-message/${id}`)
        assert.deepInclude(body, { messageCount: 2, unreadCount: 1, lastMessageDirection: "inbound" }, name)
        assert.strictEqual(received.threadId, body.id, name)
        const { body: messages } = yield* call("GET", `/v1/email/threads/${body.id}/messages`)
        assert.strictEqual(messages.items.at(-1).content.replyText, received.content.replyText, name)
        assert.notProperty(messages.items[0].content, "replyText", name)
        const { body: record } = yield* call("GET", `/v1/email/${received.id}`)
        assert.include(record.subject, body.subject, name)
        assert.strictEqual(record.threadId, body.id)
        assert.hasAllKeys(record.authentication, ["spf", "dkim", "dmarc"])
      }
    })
  )

  it.effect("of an auto-responder joins the thread without reopening the conversation", () =>
    Effect.gen(function* () {
      yield* receiving("away.test")
      const { id, received } = yield* receiveReply("away.test", programs.outOfOffice)
      assert.deepInclude(received, { parentMessageId: id, isAutomated: true })
    })
  )

  it.effect("is found by its author", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      yield* receiving("found.test")
      const { author, id, received } = yield* receiveReply("found.test", programs.gmail)
      const { body } = yield* call("GET", `/v1/messages?search=${author.slice(1).toUpperCase()}`)
      assert.sameMembers(
        body.items.map((message: { readonly id: string }) => message.id),
        [id, received.id]
      )
    })
  )
})
