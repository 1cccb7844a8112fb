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

/** What came in, once something like it is there. */
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

/** The organization's domain, which receives. */
const receivingDomain = Effect.gen(function* () {
  const { call } = yield* LiveService
  const { body } = yield* call("GET", `/v1/email/domains?filters=${encodeURIComponent(`{"search":"${ours}"}`)}`)
  if (body.items.length === 0) yield* verifiedDomain(ours)
  const { status } = yield* call("POST", "/v1/email/domains/enable-receiving", { domain: ours })
  assert.strictEqual(status, 200)
})

/** The mail by this subject, as it came to the world. */
const arrived = Effect.fnUntraced(function* (subject: string) {
  const { world } = yield* PostfixService
  const mail = yield* until(
    Effect.sync(() => world.mails.find(({ parsed }) => parsed.subject === subject)),
    (found) => found !== undefined
  )
  return mail ?? assert.fail("nothing came")
})

/** Gives a mail to Postfix, written by hand. */
const post = Effect.fnUntraced(function* (mailFrom: string, rcptTo: string, mail: string) {
  const { postfixPort } = yield* PostfixService
  const { say } = yield* rawClient(postfixPort)
  yield* say("EHLO world.test")
  yield* say(`MAIL FROM:<${mailFrom}>`)
  assert.match(yield* say(`RCPT TO:<${rcptTo}>`), /^250/)
  yield* say("DATA")
  assert.match(yield* say(`${mail.replace(/\r?\n/g, "\r\n")}\r\n.`), /^250/)
}, Effect.scoped)

/** A program of somebody's that answers every mail at once, both where answers go and where nothing should come to. */
const answering = Effect.fnUntraced(function* (author: string) {
  const { world } = yield* PostfixService
  const answered = new Set<unknown>()
  const round = Effect.gen(function* () {
    for (const got of world.mails.filter(({ rcptTo }) => rcptTo.includes(author))) {
      if (answered.has(got)) continue
      answered.add(got)
      const replyTo = got.parsed.replyTo?.[0]?.address ?? ""
      for (const [mailFrom, to] of [
        [author, replyTo],
        ["", got.mailFrom]
      ] as const) {
        const answer = `From: ${author}
To: ${to}
Subject: Auto: ${got.parsed.subject}
Message-ID: <${randomUUID()}@${theirs}>
In-Reply-To: ${got.parsed.messageId}
Auto-Submitted: auto-replied

I am away.`
        yield* post(mailFrom, to, answer)
      }
    }
  })
  yield* Effect.forkScoped(Effect.repeat(round, { schedule: Schedule.spaced("25 millis") }))
})

const options = { excludeTestServices: true, timeout: "90 seconds" } as const

describe.skipIf(noPostfix !== null)(
  `With a real Postfix${noPostfix === null ? "" : ` (skipped: ${noPostfix})`}`,
  () => {
    layer(PostfixService.Live, options)("between the service and the world", (it) => {
      it.effect("its bounces and its confirmations come back to their messages", () =>
        Effect.gen(function* () {
          yield* receivingDomain
          const gone = `perm550-${randomUUID()}@${theirs}`
          const alone = yield* sent(gone)
          const bounced = yield* becomes(alone.id, "bounced")
          assert.match(bounced.lastError, /550 5\.1\.1 no such user/)
          assert.deepStrictEqual(deliveriesOf(bounced), [[gone, "bounced"]])
          assert.strictEqual(yield* blockOf(gone), "hard_bounce")

          // The world's server is asked to confirm by itself, and does not: nothing more is known of who got it.
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
          assert.match(failed.lastError, /no way leads there/)
        })
      )

      it.effect("its report that a next hop without DSN took the mail makes the message delivered", () =>
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

      it.effect("an answer that it brings lands in its thread", () =>
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

      it.scoped("whoever answers by a program answers once, and is not answered", () =>
        Effect.gen(function* () {
          yield* receivingDomain
          const { world } = yield* PostfixService
          const author = `away-${randomUUID()}@${theirs}`
          yield* answering(author)
          const first = yield* sent(author)
          assert.deepInclude(yield* answerTo(first), { parentMessageId: first.id, isAutomated: true })
          // Whatever the first answer had set off would have come before the second.
          const second = yield* sent(author)
          assert.deepInclude(yield* answerTo(second), { parentMessageId: second.id, isAutomated: true })
          assert.deepStrictEqual(
            world.mails.flatMap(({ parsed, rcptTo }) => (rcptTo.includes(author) ? [parsed.subject] : [])),
            [first.subject, second.subject]
          )
          // What came to the return path was no report.
          assert.deepStrictEqual(deliveriesOf(yield* messageOf(first.id)), [[author, "sent"]])
          assert.isNull(yield* blockOf(author))
        })
      )
    })
  }
)
