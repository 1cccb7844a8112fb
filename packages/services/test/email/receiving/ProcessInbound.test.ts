import { assert, it } from "@effect/vitest"
import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { ForwardingId } from "@switchboard/domain/email/forwarding/ForwardingLog"
import { MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Feedback, type FeedbackOutcome } from "@switchboard/services/email/feedback/Feedback"
import { Forwarding } from "@switchboard/services/email/forwarding/Forwarding"
import type { InboundMail } from "@switchboard/services/email/receiving/InboundMail"
import { MailAuthenticator } from "@switchboard/services/email/receiving/MailAuthenticator"
import { ProcessInbound } from "@switchboard/services/email/receiving/ProcessInbound"
import { ProcessMail } from "@switchboard/services/email/receiving/ProcessMail"
import { MailReader, type ReadMail, UnreadableMail } from "@switchboard/services/email/receiving/ReadMail"
import { ReceivedMessages } from "@switchboard/services/email/receiving/ReceivedMessages"
import { unreadMail } from "@switchboard/services/email/receiving/UnreadMail"
import { DateTime, Duration, Effect, Layer, Metric, MetricState, Schema, TestClock } from "effect"
import { v7 } from "uuid"

const start = DateTime.unsafeMake("2026-01-01T00:00:00.000Z")
const address = Schema.decodeSync(EmailAddress)
const away = new ServiceUnavailableError({ message: "The files can't be reached", retryAfterSeconds: 1 })

type Recipient = InboundMail["recipients"][number]
const help: Recipient = {
  address: address("help@desk.test"),
  kind: { _tag: "Address", domainId: EmailDomainId.make(v7()) }
}
const bounce: Recipient = {
  address: address("b@bounce.desk.test"),
  kind: { _tag: "Bounce", messageId: MessageId.make(v7()) }
}

const mailTo = (...recipients: ReadonlyArray<Recipient>): InboundMail => ({
  id: MessageId.make(v7()),
  organizationId: OrganizationId.make(v7()),
  mailFrom: "",
  recipients,
  remoteAddress: "192.0.2.1",
  helo: "mx.example.com",
  tls: false,
  raw: new TextEncoder().encode("From: Ada <ada@example.com>\r\nSubject: Hello\r\n\r\nHello\r\n"),
  receivedAt: start
})

interface House {
  readonly unreadable?: string
  readonly feedback?: FeedbackOutcome
  readonly isAway?: boolean
  /** Whether it goes on, and no copy is kept. */
  readonly goesOn?: boolean
  /** What becomes of the news that it went on in vain. */
  readonly returned?: FeedbackOutcome
  readonly after?: Duration.DurationInput
  /** Workers that were lost over it. */
  readonly isGivenUp?: boolean
}

/** What becomes of a mail, what was considered and what was received. */
const processed = (
  mail: InboundMail,
  {
    after = 0,
    feedback = "done",
    goesOn = false,
    isGivenUp = false,
    isAway = false,
    returned = "done",
    unreadable
  }: House = {}
) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.addDuration(start, after)))
    const considered: Array<ReadMail> = []
    const received: Array<{ readonly mail: InboundMail; readonly read: ReadMail; readonly spf: string }> = []
    const Ports = Layer.mergeAll(
      Layer.succeed(MailReader, {
        read: (raw) =>
          unreadable === undefined
            ? Effect.succeed(unreadMail(raw, "it was read"))
            : new UnreadableMail({ message: unreadable })
      }),
      Layer.mock(MailAuthenticator, {
        authenticate: () => Effect.succeed({ spf: "pass", dkim: "none", dmarc: "none" })
      }),
      Layer.succeed(
        Feedback,
        new Feedback({ consider: (_, read) => Effect.sync(() => void considered.push(read)).pipe(Effect.as(feedback)) })
      ),
      Layer.succeed(
        Forwarding,
        new Forwarding({
          consider: ({ recipients }) => Effect.succeed(goesOn ? [] : recipients),
          returned: () => Effect.succeed(returned)
        })
      ),
      Layer.succeed(
        ReceivedMessages,
        new ReceivedMessages({
          receive: (mail, read, { spf }) => (isAway ? away : Effect.sync(() => void received.push({ mail, read, spf })))
        })
      )
    )
    const outcome = yield* Effect.flatMap(ProcessMail, ({ keepUnread, process }) =>
      isGivenUp ? keepUnread({ mail, takeovers: 5, isRepeat: true }) : process({ mail, takeovers: 0, isRepeat: false })
    ).pipe(Effect.provide(ProcessInbound.pipe(Layer.provide(Ports))))
    return { outcome, considered, received }
  })

const done = { _tag: "Done", parseError: null } as const
const secondsUntil = (outcome: { readonly _tag: string; readonly at?: DateTime.Utc }) =>
  outcome.at === undefined ? null : Duration.toSeconds(DateTime.distanceDuration(start, outcome.at))

it.effect("Mail is considered as feedback, then received by whom it is for, with whether it is genuine", () =>
  Effect.gen(function* () {
    const mail = mailTo(bounce, help)
    const { considered, outcome, received } = yield* processed(mail)
    assert.deepStrictEqual(outcome, done)
    assert.lengthOf(considered, 1)
    assert.deepStrictEqual(
      received.map(({ mail: { id, recipients }, spf }) => ({ id, recipients, spf })),
      [{ id: mail.id, recipients: [help], spf: "pass" }]
    )
  })
)

it.effect(
  "Mail that goes on without a copy is received by nobody, and what came back too early is looked at again",
  () =>
    Effect.gen(function* () {
      const gone = yield* processed(mailTo(help), { goesOn: true })
      assert.deepStrictEqual([gone.outcome, gone.received], [done, []])
      const forwarded: Recipient = {
        address: address("f@bounce.desk.test"),
        kind: { _tag: "Forwarded", forwardingId: ForwardingId.make(v7()) }
      }
      const back = yield* processed(mailTo(forwarded))
      assert.deepStrictEqual([back.outcome, back.received], [done, []])
      const early = yield* processed(mailTo(forwarded), { returned: "tooEarly" })
      assert.strictEqual(early.outcome._tag, "Later")
    })
)

it.effect("A mail that is given up reaches its recipients as it came, unread", () =>
  Effect.gen(function* () {
    const mail = mailTo(help)
    assert.strictEqual((yield* processed(mail)).received[0]?.spf, "pass")
    const { considered, outcome, received } = yield* processed(mail, { isGivenUp: true })
    const problem = "Its lease ended 5 times while it was read"
    assert.deepStrictEqual(outcome, { _tag: "Done", parseError: problem })
    assert.isEmpty(considered)
    assert.deepStrictEqual(received, [{ mail, read: unreadMail(mail.raw, problem), spf: "temperror" }])
  })
)

it.effect("What comes to a return path is for nobody, even if it can't be read", () =>
  Effect.gen(function* () {
    const { outcome, received } = yield* processed(mailTo(bounce))
    assert.deepStrictEqual([outcome, received], [done, []])
    const unread = yield* processed(mailTo(bounce), { unreadable: "It has too many parts" })
    assert.deepStrictEqual(unread.outcome, { _tag: "Done", parseError: "It has too many parts" })
    assert.deepStrictEqual([unread.considered, unread.received], [[], []])
  })
)

it.effect(
  "News that comes before what it is about is looked at again, the later the older it is, and not for ever",
  () =>
    Effect.gen(function* () {
      const at = (after: Duration.DurationInput) =>
        Effect.map(processed(mailTo(bounce, help), { after, feedback: "tooEarly" }), ({ outcome, received }) => {
          assert.lengthOf(received, outcome._tag === "Done" ? 1 : 0)
          return secondsUntil(outcome)
        })
      assert.strictEqual(yield* at(0), 5)
      assert.strictEqual(yield* at("1 minute"), 120)
      assert.strictEqual(yield* at("1 day"), 86_400 + 900)
      assert.strictEqual(yield* at("5 days"), null)
    })
)

it.effect("Mail whose files can't be stored waits", () =>
  Effect.gen(function* () {
    const { outcome } = yield* processed(mailTo(help), { isAway: true, after: "1 minute" })
    assert.strictEqual(secondsUntil(outcome), 120)
  })
)

it.effect("Mail that can't be read is received as far as its header goes, with the mail itself and why", () =>
  Effect.gen(function* () {
    const mail = mailTo(help)
    const { considered, outcome, received } = yield* processed(mail, { unreadable: "It has too many parts" })
    assert.deepStrictEqual(outcome, { _tag: "Done", parseError: "It has too many parts" })
    assert.deepStrictEqual(considered, [])
    const [message] = received
    assert.strictEqual(message?.read.subject, "Hello")
    assert.strictEqual(message?.read.from.address, "ada@example.com")
    assert.strictEqual(message?.read.text, "This mail can't be read. It has too many parts. It is attached as it came.")
    assert.deepStrictEqual(message?.read.parts[0]?.content, mail.raw)
  })
)

it.effect("Mail that can't be read is counted once, when it is done", () =>
  Effect.gen(function* () {
    const unread = Effect.map(Metric.snapshot, (pairs) =>
      pairs.flatMap(({ metricKey, metricState }) =>
        metricKey.name === "switchboard_inbound_unread_total" && MetricState.isCounterState(metricState)
          ? [Number(metricState.count)]
          : []
      )
    )
    const problem = { unreadable: "It has too many parts" }
    yield* processed(mailTo(help), problem)
    const [before = 0] = yield* unread
    yield* processed(mailTo(help), { ...problem, isAway: true })
    yield* processed(mailTo(help))
    assert.deepStrictEqual(yield* unread, [before])
    yield* processed(mailTo(help), problem)
    assert.deepStrictEqual(yield* unread, [before + 1])
  })
)
