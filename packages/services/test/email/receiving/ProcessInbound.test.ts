import { assert, it } from "@effect/vitest"
import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { ForwardingId } from "@switchboard/domain/email/forwarding/ForwardingRule"
import { MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Feedback, type FeedbackOutcome } from "@switchboard/services/email/feedback/Feedback"
import { Forwarding } from "@switchboard/services/email/forwarding/Forwarding"
import type { InboundMail } from "@switchboard/services/email/receiving/InboundMail"
import { ProcessMail } from "@switchboard/services/email/receiving/InboundQueue"
import { ProcessInbound, unparsedMail } from "@switchboard/services/email/receiving/ProcessInbound"
import {
  MailAuthenticator,
  MailReader,
  type ReadMail,
  UnreadableMail
} from "@switchboard/services/email/receiving/ReadMail"
import { ReceivedMessages } from "@switchboard/services/email/receiving/ReceivedMessages"
import { MailReporting } from "@switchboard/services/email/reports/MailReporting"
import { PublicUrl } from "@switchboard/services/PublicUrl"
import { MasterKey, Signatures } from "@switchboard/services/SecretBox"
import { DateTime, Duration, Effect, Layer, Metric, MetricState, Redacted, Schema, TestClock } from "effect"
import { v7 } from "uuid"

const start = DateTime.unsafeMake("2026-01-01T00:00:00.000Z")
const address = Schema.decodeSync(EmailAddress)
const unavailable = new ServiceUnavailableError({ message: "The files can't be reached", retryAfterSeconds: 1 })

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

const Secrets = Signatures.Live.pipe(Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32)))))

interface ProcessOptions {
  readonly unreadable?: string
  readonly feedback?: FeedbackOutcome
  /** The outcome of DMARC and TLS reports. */
  readonly reported?: FeedbackOutcome
  readonly isStorageUnavailable?: boolean
  /** Whether the mail is forwarded without a stored copy. */
  readonly isForwarded?: boolean
  /** The outcome of a bounce of a forwarded mail. */
  readonly bounceOutcome?: "done" | "tooEarly"
  readonly after?: Duration.DurationInput
  /** Whether the mail is given up after too many expired leases. */
  readonly isGivenUp?: boolean
}

/** Processes a mail; returns the outcome, the mails passed to Feedback and the received messages. */
const processMail = (
  mail: InboundMail,
  {
    after = 0,
    feedback = "done",
    isForwarded = false,
    isGivenUp = false,
    isStorageUnavailable = false,
    bounceOutcome = "done",
    reported = "unclassified",
    unreadable
  }: ProcessOptions = {}
) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.addDuration(start, after)))
    const considered: Array<ReadMail> = []
    const received: Array<{ readonly mail: InboundMail; readonly read: ReadMail; readonly spf: string }> = []
    const Ports = Layer.mergeAll(
      Secrets,
      Layer.succeed(PublicUrl, "https://mail.desk.test"),
      Layer.succeed(MailReader, {
        read: (raw) =>
          unreadable === undefined
            ? Effect.succeed(unparsedMail(raw, "it was read"))
            : new UnreadableMail({ message: unreadable })
      }),
      Layer.mock(MailAuthenticator, {
        authenticate: () => Effect.succeed({ spf: "pass", dkim: "none", dmarc: "none" })
      }),
      Layer.succeed(
        Feedback,
        new Feedback({ process: (_, read) => Effect.sync(() => void considered.push(read)).pipe(Effect.as(feedback)) })
      ),
      Layer.succeed(
        Forwarding,
        new Forwarding({
          process: ({ recipients }) => Effect.succeed(isForwarded ? [] : recipients),
          processBounce: () => Effect.succeed(bounceOutcome)
        })
      ),
      Layer.succeed(MailReporting, new MailReporting({ process: () => Effect.succeed(reported) })),
      Layer.succeed(
        ReceivedMessages,
        new ReceivedMessages({
          receive: (mail, read, { spf }) =>
            isStorageUnavailable ? unavailable : Effect.sync(() => void received.push({ mail, read, spf }))
        })
      )
    )
    const outcome = yield* Effect.flatMap(ProcessMail, ({ receiveUnparsed, process }) =>
      isGivenUp
        ? receiveUnparsed({ mail, leaseExpiries: 5, isRepeat: true })
        : process({ mail, leaseExpiries: 0, isRepeat: false })
    ).pipe(Effect.provide(ProcessInbound.pipe(Layer.provide(Ports))))
    return { outcome, considered, received }
  })

const done = { _tag: "Done", parseError: null } as const
const secondsUntil = (outcome: { readonly _tag: string; readonly at?: DateTime.Utc }) =>
  outcome.at === undefined ? null : Duration.toSeconds(DateTime.distanceDuration(start, outcome.at))

it.effect("passes mail to feedback and stores it for its recipients with its authentication result", () =>
  Effect.gen(function* () {
    const mail = mailTo(bounce, help)
    const { considered, outcome, received } = yield* processMail(mail)
    assert.deepStrictEqual(outcome, done)
    assert.lengthOf(considered, 1)
    assert.deepStrictEqual(
      received.map(({ mail: { id, recipients }, spf }) => ({ id, recipients, spf })),
      [{ id: mail.id, recipients: [help], spf: "pass" }]
    )
  })
)

const forwarded: Recipient = {
  address: address("f@bounce.desk.test"),
  kind: { _tag: "Forwarded", forwardingId: ForwardingId.make(v7()) }
}

it.effect("stores no message for mail forwarded without a copy, and retries a bounce that arrives too early", () =>
  Effect.gen(function* () {
    const forwardedMail = yield* processMail(mailTo(help), { isForwarded: true })
    assert.deepStrictEqual([forwardedMail.outcome, forwardedMail.received], [done, []])
    const back = yield* processMail(mailTo(forwarded))
    assert.deepStrictEqual([back.outcome, back.received], [done, []])
    const early = yield* processMail(mailTo(forwarded), { bounceOutcome: "tooEarly" })
    assert.strictEqual(early.outcome._tag, "Later")
  })
)

const reports: Recipient = {
  address: address("reports@bounce.desk.test"),
  kind: { _tag: "Address", domainId: EmailDomainId.make(v7()), isForReports: true }
}

it.effect("stores a mail to the address for reports only if it is no report", () =>
  Effect.gen(function* () {
    const both = yield* processMail(mailTo(reports, help), { reported: "done" })
    assert.deepStrictEqual(
      both.received.map(({ mail }) => mail.recipients),
      [[help]]
    )
    assert.deepStrictEqual((yield* processMail(mailTo(reports), { reported: "done" })).received, [])
    assert.lengthOf((yield* processMail(mailTo(reports))).received, 1)
    const uncertain = yield* processMail(mailTo(reports), { reported: "tooEarly" })
    assert.deepStrictEqual([uncertain.outcome._tag, uncertain.received], ["Later", []])
    const overdue = yield* processMail(mailTo(reports), { reported: "tooEarly", after: "97 hours" })
    assert.deepStrictEqual(overdue.outcome, done)
    assert.lengthOf(overdue.received, 1)
  })
)

it.effect("stores mail unparsed if it is given up after too many expired leases", () =>
  Effect.gen(function* () {
    const mail = mailTo(help)
    assert.strictEqual((yield* processMail(mail)).received[0]?.spf, "pass")
    const { considered, outcome, received } = yield* processMail(mail, { isGivenUp: true })
    const problem = "Its lease expired 5 times while it was parsed"
    assert.deepStrictEqual(outcome, { _tag: "Done", parseError: problem })
    assert.isEmpty(considered)
    assert.deepStrictEqual(received, [{ mail, read: unparsedMail(mail.raw, problem), spf: "temperror" }])
  })
)

it.effect("stores a message for mail to a return path only if it is no report that can be read", () =>
  Effect.gen(function* () {
    const { outcome, received } = yield* processMail(mailTo(bounce))
    assert.deepStrictEqual([outcome, received], [done, []])
    const problem = "It has too many parts"
    const unread = yield* processMail(mailTo(bounce), { unreadable: problem })
    assert.deepStrictEqual(unread.outcome, { _tag: "Done", parseError: problem })
    assert.deepStrictEqual(unread.considered, [])
    assert.deepStrictEqual(
      unread.received.map(({ read }) => read.text),
      [unparsedMail(new Uint8Array(), problem).text]
    )
    const other = yield* processMail(mailTo(bounce, forwarded), { feedback: "unclassified" })
    assert.deepStrictEqual(
      other.received.map(({ mail }) => mail.recipients),
      [[bounce]]
    )
  })
)

it.effect("retries feedback that arrives too early with growing delays, for a limited time", () =>
  Effect.gen(function* () {
    const at = (after: Duration.DurationInput) =>
      Effect.map(processMail(mailTo(bounce, help), { after, feedback: "tooEarly" }), ({ outcome, received }) => {
        assert.lengthOf(received, outcome._tag === "Done" ? 1 : 0)
        return secondsUntil(outcome)
      })
    assert.strictEqual(yield* at(0), 5)
    assert.strictEqual(yield* at("1 minute"), 120)
    assert.strictEqual(yield* at("1 day"), 86_400 + 900)
    assert.strictEqual(yield* at("5 days"), null)
  })
)

it.effect("retries mail whose files can't be stored", () =>
  Effect.gen(function* () {
    const { outcome } = yield* processMail(mailTo(help), { isStorageUnavailable: true, after: "1 minute" })
    assert.strictEqual(secondsUntil(outcome), 120)
  })
)

it.effect("stores the parsable header of unreadable mail, with the original attached and the error as text", () =>
  Effect.gen(function* () {
    const mail = mailTo(help)
    const { considered, outcome, received } = yield* processMail(mail, { unreadable: "It has too many parts" })
    assert.deepStrictEqual(outcome, { _tag: "Done", parseError: "It has too many parts" })
    assert.deepStrictEqual(considered, [])
    const [message] = received
    assert.strictEqual(message?.read.subject, "Hello")
    assert.strictEqual(message?.read.from.address, "ada@example.com")
    assert.strictEqual(
      message?.read.text,
      "This mail can't be read. It has too many parts. The original mail is attached."
    )
    assert.deepStrictEqual(message?.read.parts[0]?.content, mail.raw)
  })
)

it.effect("counts unreadable mail once, when its processing ends", () =>
  Effect.gen(function* () {
    const unreadTotal = Effect.map(Metric.snapshot, (pairs) =>
      pairs.flatMap(({ metricKey, metricState }) =>
        metricKey.name === "switchboard_inbound_unread_total" && MetricState.isCounterState(metricState)
          ? [Number(metricState.count)]
          : []
      )
    )
    const problem = { unreadable: "It has too many parts" }
    yield* processMail(mailTo(help), problem)
    const [before = 0] = yield* unreadTotal
    yield* processMail(mailTo(help), { ...problem, isStorageUnavailable: true })
    yield* processMail(mailTo(help))
    assert.deepStrictEqual(yield* unreadTotal, [before])
    yield* processMail(mailTo(help), problem)
    assert.deepStrictEqual(yield* unreadTotal, [before + 1])
  })
)
