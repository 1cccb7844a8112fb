import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { LiveService, send, until } from "../../LiveService.js"
import { deliver, ReceivingService, receivingDomain } from "../ReceivingService.js"
import * as programs from "./Replies.js"

/** A domain that receives mail for `help@` and for signed reply addresses. */
const receiving = (domain: string) => receivingDomain(domain, { addresses: ["help"] })

/** Sends a message; returns it with its mail at the relay. */
const sentMail = Effect.fnUntraced(function* (domain: string, to: string, subject: string) {
  const { call, mails } = yield* LiveService
  const from = `help@${domain}`
  const { body, status } = yield* call("POST", "/v1/messages", send({ to: [{ email: to }] }, { from, subject }))
  assert.strictEqual(status, 201, JSON.stringify(body))
  const messageId: string = body.emailMetadata.messageId
  const mail = yield* until(
    Effect.sync(() => mails.find(({ parsed }) => parsed.messageId === messageId)),
    (found) => found !== undefined
  )
  const replyTo = mail?.parsed.replyTo?.[0]?.address ?? ""
  assert.match(replyTo, new RegExp(`^r\\+${body.id}\\.[0-9a-f]{20}@${domain}$`))
  const got: programs.GotMail = { subject, messageId, references: "", from, replyTo }
  return { id: String(body.id), got }
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

const known: ReadonlyArray<readonly [string, programs.Program]> = [
  ["Gmail", programs.gmail],
  ["Outlook in German", programs.outlook],
  ["Apple Mail on a telephone", programs.appleMail],
  ["Thunderbird in French", programs.thunderbird],
  ["a telephone that names what went before in References alone", programs.referencesOnly],
  ["a ticket system that names nothing, to the signed address", programs.ticketSystem],
  ["GroupWise in Dutch, after a gateway rewrote our Message-ID", programs.rewrittenDutch],
  ["Polish webmail, likewise", programs.rewrittenPolish],
  ["a company that marks mail from outside, likewise", programs.rewrittenExternal],
  ["The Bat!, likewise", programs.rewrittenCounted],
  ["QQ Mail in Chinese, likewise", programs.rewrittenChinese],
  ["Orange in French, likewise", programs.rewrittenFrench]
]

layer(ReceivingService.Shared, { excludeTestServices: true })("A reply", (it) => {
  it.effect("joins its thread for every mail client", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      yield* receiving("answered.test")
      for (const [name, program] of known) {
        const { id, received } = yield* receiveReply("answered.test", program)
        assert.strictEqual(received.parentMessageId, id, name)
        assert.isFalse(received.isAutomated, name)
        const { body } = yield* call("GET", `/v1/email/threads/by-message/${id}`)
        assert.deepInclude(body, { messageCount: 2, unreadCount: 1, lastMessageDirection: "inbound" }, name)
        assert.strictEqual(received.threadId, body.id, name)
        const { body: record } = yield* call("GET", `/v1/email/${received.id}`)
        assert.include(record.subject, body.subject, name)
        assert.strictEqual(record.threadId, body.id)
        assert.hasAllKeys(record.authentication, ["spf", "dkim", "dmarc"])
      }
    })
  )

  it.effect("has References to all earlier messages over several rounds", () =>
    Effect.gen(function* () {
      const { call, mails } = yield* LiveService
      yield* receiving("rounds.test")
      const { author, got, id, received } = yield* receiveReply("rounds.test", programs.gmail)
      const to = { to: author, subject: `Re: ${got.subject}`, html: "<p>Again</p>" }
      // The sender is the default one: the thread is found by In-Reply-To.
      const second = yield* call("POST", "/v1/email/send", { ...to, inReplyToMessageId: received.id })
      assert.strictEqual(second.status, 201, JSON.stringify(second.body))
      const { body: sent } = yield* call("GET", `/v1/messages/${second.body.id}`)
      assert.deepStrictEqual([sent.threadId, sent.conversationId], [received.threadId, received.conversationId])
      const arrived = yield* until(
        Effect.sync(() => mails.find(({ parsed }) => parsed.messageId === sent.emailMetadata.messageId)),
        (found) => found !== undefined
      )
      const rfcId: string = received.emailMetadata.messageId
      assert.strictEqual(arrived?.parsed.inReplyTo, rfcId)
      assert.strictEqual(arrived?.parsed.references, `${got.messageId} ${rfcId}`)
      const { body: messages } = yield* call("GET", `/v1/email/threads/${received.threadId}/messages`)
      assert.deepStrictEqual(
        messages.items.map((message: { readonly id: string }) => message.id),
        [id, received.id, sent.id]
      )
    })
  )

  it.effect("of an auto-responder joins the thread without reopening the conversation", () =>
    Effect.gen(function* () {
      yield* receiving("away.test")
      const { id, received } = yield* receiveReply("away.test", programs.outOfOffice)
      assert.deepInclude(received, { parentMessageId: id, isAutomated: true })
    })
  )

  it.effect("is not detected by an equal subject of another author", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      yield* receiving("foreign.test")
      const { got, id } = yield* sentMail("foreign.test", `ada-${randomUUID()}@example.com`, "Your order 1815")
      const stranger = `eve-${randomUUID()}@example.com`
      const { raw, to } = programs.rewrittenDutch(got, stranger)
      yield* deliver(stranger, to, raw)
      const received = yield* receivedFrom(stranger)
      assert.isNull(received.parentMessageId)
      assert.strictEqual((yield* call("GET", `/v1/email/threads/by-message/${id}`)).status, 404)
      const { body } = yield* call("GET", `/v1/email/threads/by-message/${received.id}`)
      assert.strictEqual(body.messageCount, 1)
    })
  )
})
