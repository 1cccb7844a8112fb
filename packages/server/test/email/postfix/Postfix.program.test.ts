import { randomUUID } from "node:crypto"
import { assert, describe, layer } from "@effect/vitest"
import { rawClient } from "@switchboard/channels/testing/RawClient"
import { Effect, Schedule } from "effect"
import { LiveService, until } from "../../LiveService.js"
import { verifiedDomain } from "../ReceivingService.js"
import { gmail } from "../threads/Replies.js"
import { mailboxDomain, noPostfix } from "./Postfix.js"
import { becomes, deliveriesOf, messageOf, ours, PostfixService, sent, theirs, withoutDsn } from "./PostfixService.js"

const blockOf = Effect.fnUntraced(function* (email: string) {
  const { call } = yield* LiveService
  return (yield* call("GET", `/v1/email/blocks/check?email=${email}`)).body.block?.reason ?? null
})

interface Listed {
  readonly direction: string
  readonly content: { readonly from: string; readonly subject: string }
}

/** Waits for a received message. */
const received = Effect.fnUntraced(function* (isIt: (message: Listed["content"]) => boolean) {
  const { call } = yield* LiveService
  return yield* until(
    Effect.map(call("GET", "/v1/messages?limit=100"), ({ body }) =>
      body.items.find(({ content, direction }: Listed) => direction === "inbound" && isIt(content))
    ),
    (found) => found !== undefined
  )
})

const receivedFrom = (author: string) => received(({ from }) => from.includes(author))
const answerTo = ({ subject }: { readonly subject: string }) => received((content) => content.subject.endsWith(subject))

/** Enables receiving for the organization's domain. */
const receivingDomain = Effect.gen(function* () {
  const { call } = yield* LiveService
  const { body } = yield* call("GET", `/v1/email/domains?filters=${encodeURIComponent(`{"search":"${ours}"}`)}`)
  if (body.items.length === 0) yield* verifiedDomain(ours)
  const { status } = yield* call("POST", "/v1/email/domains/enable-receiving", { domain: ours })
  assert.strictEqual(status, 200)
})

/** The mail with this subject at the external server. */
const arrived = Effect.fnUntraced(function* (subject: string) {
  const { world } = yield* PostfixService
  const mail = yield* until(
    Effect.sync(() => world.mails.find(({ parsed }) => parsed.subject === subject)),
    (found) => found !== undefined
  )
  return mail ?? assert.fail("nothing came")
})

/** Sends a mail to Postfix over SMTP. */
const post = Effect.fnUntraced(function* (mailFrom: string, rcptTo: string, mail: string) {
  const { postfixPort } = yield* PostfixService
  const { sendLine } = yield* rawClient(postfixPort)
  yield* sendLine("EHLO world.test")
  yield* sendLine(`MAIL FROM:<${mailFrom}>`)
  assert.match(yield* sendLine(`RCPT TO:<${rcptTo}>`), /^250/)
  yield* sendLine("DATA")
  assert.match(yield* sendLine(`${mail.replace(/\r?\n/g, "\r\n")}\r\n.`), /^250/)
}, Effect.scoped)

/** Runs an auto-responder of `author`: it replies to Reply-To and to the return path. */
const autoResponder = Effect.fnUntraced(function* (author: string) {
  const { world } = yield* PostfixService
  const repliedTo = new Set<unknown>()
  const round = Effect.gen(function* () {
    for (const got of world.mails.filter(({ rcptTo }) => rcptTo.includes(author))) {
      if (repliedTo.has(got)) continue
      repliedTo.add(got)
      const replyTo = got.parsed.replyTo?.[0]?.address ?? ""
      for (const [mailFrom, to] of [
        [author, replyTo],
        ["", got.mailFrom]
      ] as const) {
        const reply = `From: ${author}
To: ${to}
Subject: Auto: ${got.parsed.subject}
Message-ID: <${randomUUID()}@${theirs}>
In-Reply-To: ${got.parsed.messageId}
Auto-Submitted: auto-replied

I am away.`
        yield* post(mailFrom, to, reply)
      }
    }
  })
  yield* Effect.forkScoped(Effect.repeat(round, { schedule: Schedule.spaced("25 millis") }))
})

const options = { excludeTestServices: true } as const

describe.skipIf(noPostfix !== "")(`Postfix${noPostfix}`, () => {
  layer(PostfixService.Live, options)("between the service and external servers", (it) => {
    it.effect("sends bounces and delivery notifications that set the status of messages", () =>
      Effect.gen(function* () {
        yield* receivingDomain
        const gone = `perm550-${randomUUID()}@${theirs}`
        const alone = yield* sent(gone)
        const bounced = yield* becomes(alone.id, "bounced")
        assert.match(bounced.lastError, /550 5\.1\.1 no such user/)
        assert.deepStrictEqual(deliveriesOf(bounced), [[gone, "bounced"]])
        assert.strictEqual(yield* blockOf(gone), "hard_bounce")

        // The external server offers DSN but sends none: the accepted recipient remains sent.
        const other = `perm550-${randomUUID()}@${theirs}`
        const both = yield* sent(other, `ada@${theirs}`)
        const partly = yield* until(messageOf(both.id), (now) => deliveriesOf(now)[0]?.[1] === "bounced")
        assert.deepStrictEqual(deliveriesOf(partly), [
          [other, "bounced"],
          [`ada@${theirs}`, "sent"]
        ])
        assert.strictEqual(partly.status, "sent")
        yield* arrived(both.subject)

        const kept = yield* sent(`ada@${mailboxDomain}`)
        const delivered = yield* becomes(kept.id, "delivered")
        assert.deepStrictEqual(deliveriesOf(delivered), [[`ada@${mailboxDomain}`, "delivered"]])
        assert.isNull(yield* blockOf(`ada@${mailboxDomain}`))

        const lost = yield* sent("ada@nowhere.test")
        const failed = yield* becomes(lost.id, "bounced")
        assert.match(failed.lastError, /no route to the domain/)
      })
    )

    it.effect("reports a next hop without DSN as relayed, which makes the message delivered", () =>
      Effect.gen(function* () {
        yield* receivingDomain
        const recipient = `ada@${withoutDsn}`
        const { id } = yield* sent(recipient)
        const delivered = yield* becomes(id, "delivered")
        assert.deepStrictEqual(deliveriesOf(delivered), [[recipient, "delivered"]])
        const { call } = yield* LiveService
        const { events } = (yield* call("GET", `/v1/messages/${id}/timeline`)).body
        const event = events.find(({ type }: { readonly type: string }) => type === "message.delivered")
        assert.strictEqual(event.reason, "relayed")
        assert.strictEqual(event.metadata.recipient, recipient)
        assert.match(event.metadata.response, /^250 /)

        const gone = `perm550-${randomUUID()}@${withoutDsn}`
        const failed = yield* becomes((yield* sent(gone)).id, "bounced")
        assert.deepStrictEqual(deliveriesOf(failed), [[gone, "bounced"]])
      })
    )

    it.effect("delivers a reply, which joins its thread", () =>
      Effect.gen(function* () {
        yield* receivingDomain
        const author = `bob-${randomUUID()}@${theirs}`
        const { id, subject } = yield* sent(author)
        const { parsed } = yield* arrived(subject)
        const { raw, to } = gmail(
          {
            subject,
            messageId: parsed.messageId ?? "",
            references: "",
            from: `orders@${ours}`,
            replyTo: parsed.replyTo?.[0]?.address ?? ""
          },
          author
        )
        yield* post(author, to, raw)
        const received = yield* receivedFrom(author)
        assert.deepInclude(received, { parentMessageId: id, isAutomated: false })
        const { call } = yield* LiveService
        const { body: thread } = yield* call("GET", `/v1/email/threads/by-message/${id}`)
        assert.deepStrictEqual([thread.messageCount, thread.id], [2, received.threadId])
      })
    )

    it.scoped("delivers automatic replies, which get no reply", () =>
      Effect.gen(function* () {
        yield* receivingDomain
        const { world } = yield* PostfixService
        const author = `away-${randomUUID()}@${theirs}`
        yield* autoResponder(author)
        const first = yield* sent(author)
        assert.deepInclude(yield* answerTo(first), { parentMessageId: first.id, isAutomated: true })
        // A reply to the first automatic reply would have arrived before the second.
        const second = yield* sent(author)
        assert.deepInclude(yield* answerTo(second), { parentMessageId: second.id, isAutomated: true })
        assert.deepStrictEqual(
          world.mails.flatMap(({ parsed, rcptTo }) => (rcptTo.includes(author) ? [parsed.subject] : [])),
          [first.subject, second.subject]
        )
        // The automatic reply to the return path is not a report.
        assert.deepStrictEqual(deliveriesOf(yield* messageOf(first.id)), [[author, "sent"]])
        assert.isNull(yield* blockOf(author))
      })
    )
  })
})
