import { generateKeyPairSync } from "node:crypto"
import { assert, it } from "@effect/vitest"
import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { BlockId } from "@switchboard/domain/email/blocks/Block"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { ForwardingId, ForwardingRuleId } from "@switchboard/domain/email/forwarding/ForwardingRule"
import { MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { MailRouting } from "@switchboard/services/email/domains/DomainRepo"
import { type SigningKey, SigningKeys } from "@switchboard/services/email/domains/SigningKeys"
import {
  ForwardingQueue,
  type ForwardOutcome,
  type StoredMail,
  type TakenForwarding
} from "@switchboard/services/email/forwarding/ForwardingQueue"
import { forwardMark } from "@switchboard/services/email/forwarding/ForwardMark"
import { parseForwardPath } from "@switchboard/services/email/forwarding/ForwardPath"
import { Forwards } from "@switchboard/services/email/forwarding/Forwards"
import { MailSealer, type RawOutgoingMail, RawRelay } from "@switchboard/services/email/forwarding/RawRelay"
import { type DmarcPolicy, MailAuthenticator } from "@switchboard/services/email/receiving/ReadMail"
import { ProviderUnavailable, SendDeferred, SendRefused } from "@switchboard/services/messages/delivery/Provider"
import { MasterKey, Signatures } from "@switchboard/services/SecretBox"
import { DateTime, Duration, Effect, Layer, Option, Redacted, Schema, TestClock } from "effect"
import { v7 } from "uuid"

const start = DateTime.unsafeMake("2026-01-01T00:00:00.000Z")
const raw = "From: ada@example.com\r\n\r\nHello\r\n"

const taken: TakenForwarding = {
  id: ForwardingId.make(v7()),
  organizationId: OrganizationId.make(v7()),
  mailId: MessageId.make(v7()),
  forwardTo: Schema.decodeSync(EmailAddress)("ops@elsewhere.test"),
  viaDomain: "desk.test",
  recipients: ["ops@shop.test", "help@desk.test"],
  rewriteFrom: false,
  by: ForwardingRuleId.make(v7()),
  block: null,
  createdAt: start,
  leaseExpiries: 0,
  isRepeat: false
}

const storedMail: StoredMail = {
  mailFrom: "ada@example.com",
  raw: new TextEncoder().encode(raw),
  remoteAddress: "192.0.2.1",
  helo: "evil\r\nX-Header: <injected>",
  tls: true,
  receivedAt: start
}

const relayResult = (verdict: "accepted" | "refused" | "deferred") =>
  Effect.succeed({
    replies: [{ recipient: taken.forwardTo, verdict, smtpCode: 250, response: `${verdict} it` }],
    response: null,
    providerMessageId: null
  })

const SignaturesLive = Signatures.Live.pipe(
  Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32).fill(7))))
)

interface AttemptOptions {
  /** Minutes since the forwarding was decided. */
  readonly after?: number
  readonly mail?: ReturnType<ForwardingQueue["Type"]["mail"]>
  readonly block?: TakenForwarding["block"]
  readonly key?: Option.Option<SigningKey>
  readonly rule?: Partial<Pick<TakenForwarding, "recipients" | "rewriteFrom">>
  readonly policy?: DmarcPolicy
}

/** Runs one attempt; returns its outcome and the sent mails. */
const runAttempt = (
  relayEffect: ReturnType<RawRelay["Type"]["send"]>,
  {
    after = 0,
    block = null,
    key = Option.none(),
    mail = Effect.succeedSome(storedMail),
    policy = "reject",
    rule = {}
  }: AttemptOptions = {}
) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(DateTime.toEpochMillis(start) + after * 60_000)
    const sent: Array<RawOutgoingMail> = []
    const Ports = Layer.mergeAll(
      Layer.mock(ForwardingQueue, { mail: () => mail }),
      Layer.succeed(RawRelay, {
        send: (one) =>
          Effect.zipRight(
            Effect.sync(() => sent.push(one)),
            relayEffect
          )
      }),
      Layer.succeed(SigningKeys, new SigningKeys({ signingKeyOf: () => Effect.succeed(key) })),
      Layer.succeed(MailSealer, {
        seal: (_, { domain, selector }) => Effect.succeed(`ARC-Seal: d=${domain}; s=${selector}\r\n`),
        rewrite: (_, address, { domain, selector }) =>
          Effect.succeed(Buffer.from(`DKIM-Signature: d=${domain}; s=${selector}\r\nFrom: ${address}\r\n\r\nHello\r\n`))
      }),
      Layer.mock(MailAuthenticator, { senderPolicy: () => Effect.succeed(policy) }),
      Layer.succeed(MailRouting, {
        mailHostname: "mail.switchboard.test",
        spfInclude: null,
        publicHost: "links.example.net"
      }),
      SignaturesLive
    )
    const outcome = yield* Effect.flatMap(Forwards, ({ attempt }) =>
      attempt({ ...taken, ...rule, block }, () => true)
    ).pipe(Effect.provide(Forwards.Default.pipe(Layer.provide(Ports))))
    return { outcome, sent }
  })

it.effect("forwards a mail unchanged below its trace header, with a signed return path", () =>
  Effect.gen(function* () {
    const mark = forwardMark(yield* Signatures, taken.id, taken.by)
    const { outcome, sent } = yield* runAttempt(relayResult("accepted"))
    assert.deepStrictEqual(outcome, { _tag: "Forwarded" })
    const [mail] = sent
    assert.strictEqual(mail?.rcptTo, "ops@elsewhere.test")
    assert.strictEqual(
      Buffer.from(mail?.raw ?? []).toString(),
      `X-Switchboard-Forwarded: ${mark}\r\nReceived: from evilX-Header:injected ([192.0.2.1])\r\n\tby mail.switchboard.test with ESMTPS id ${taken.mailId};\r\n\tThu, 01 Jan 2026 00:00:00 +0000\r\n${raw}`
    )
    const signatures = yield* Signatures
    const path = parseForwardPath(signatures, (mail?.mailFrom ?? "").toUpperCase())
    assert.deepStrictEqual(path, Option.some({ forwardingId: taken.id, domain: "desk.test" }))
    assert.deepStrictEqual(parseForwardPath(signatures, mail?.mailFrom.replace("f+", "b+") ?? ""), Option.none())
  }).pipe(Effect.provide(SignaturesLive))
)

it.effect("forwards a notification with an empty reverse-path", () =>
  Effect.gen(function* () {
    const { sent } = yield* runAttempt(relayResult("accepted"), {
      mail: Effect.succeedSome({ ...storedMail, mailFrom: "" })
    })
    assert.deepStrictEqual(
      sent.map(({ mailFrom }) => mailFrom),
      [""]
    )
  })
)

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 1024 })
const key = Option.some<SigningKey>({
  selector: "sm2",
  privateKey,
  isVerified: true,
  receives: true,
  trackingDomain: null
})

it.effect("seals a mail with the active DKIM key of the forwarding domain", () =>
  Effect.gen(function* () {
    const { sent } = yield* runAttempt(relayResult("accepted"), { key })
    assert.match(
      Buffer.from(sent[0]?.raw ?? []).toString(),
      /^ARC-Seal: d=desk\.test; s=sm2\r\nX-Switchboard-Forwarded: /
    )
  })
)

it.effect("rewrites From by a rule with rewriteFrom if the sender's DMARC policy is enforced or unknown", () =>
  Effect.gen(function* () {
    const rule = { rewriteFrom: true }
    const text = (given: AttemptOptions) =>
      Effect.map(runAttempt(relayResult("accepted"), given), ({ sent }) => Buffer.from(sent[0]?.raw ?? []).toString())
    const rewritten =
      /^X-Switchboard-Forwarded: .*\r\nReceived: (?:.|\r\n\t)*\r\nDKIM-Signature: d=desk\.test; s=sm2\r\n/
    for (const policy of ["reject", "quarantine", "unknown"] as const) {
      const raw = yield* text({ key, policy, rule })
      assert.match(raw, rewritten, policy)
      assert.match(raw, /\r\nFrom: help@desk\.test\r\n\r\nHello\r\n$/, policy)
    }
    const reply = yield* text({ key, rule: { ...rule, recipients: [] } })
    assert.include(reply, "\r\nFrom: postmaster@desk.test\r\n")
    for (const given of [{ key, rule, policy: "none" }, { key }, { rule }] satisfies ReadonlyArray<AttemptOptions>) {
      const raw = yield* text(given)
      assert.notInclude(raw, "DKIM-Signature")
      assert.include(raw, "\r\nFrom: ada@example.com\r\n\r\nHello")
      assert.strictEqual(raw.startsWith("ARC-Seal: d=desk.test"), "key" in given)
    }
  })
)

it.effect("fails a rejected mail and retries a deferred one with growing delays for 12 hours", () =>
  Effect.gen(function* () {
    const failed = (error: string): ForwardOutcome => ({ _tag: "Failed", error })
    assert.deepStrictEqual((yield* runAttempt(relayResult("refused"))).outcome, failed("refused it"))
    assert.deepStrictEqual(
      (yield* runAttempt(new SendRefused({ smtpCode: 554, response: "554 Spam" }))).outcome,
      failed("554 Spam")
    )
    const deferrals = [
      relayResult("deferred"),
      new SendDeferred({ smtpCode: 451, response: "451 Later" }),
      new ProviderUnavailable({ response: "Connection refused" })
    ]
    for (const deferral of deferrals) {
      for (const [after, minutes] of [
        [0, 0.5],
        [7, 7],
        [300, 60]
      ] as const) {
        const { outcome } = yield* runAttempt(deferral, { after })
        assert.deepStrictEqual(outcome, { _tag: "Later", wait: Duration.minutes(minutes) })
      }
      const { outcome } = yield* runAttempt(deferral, { after: 12 * 60 + 1 })
      assert.match(outcome._tag === "Failed" ? outcome.error : "", /^It was retried for 12 hours: ./)
    }
  })
)

it.effect("fails a mail that is no longer stored, and retries one that can't be read", () =>
  Effect.gen(function* () {
    const deleted = yield* runAttempt(relayResult("accepted"), { mail: Effect.succeedNone })
    assert.deepStrictEqual(deleted, { outcome: { _tag: "Failed", error: "The mail was deleted" }, sent: [] })
    const unavailable = new ServiceUnavailableError({ message: "unavailable", retryAfterSeconds: 1 })
    const waits = yield* runAttempt(relayResult("accepted"), { mail: unavailable })
    assert.strictEqual(waits.outcome._tag, "Later")
  })
)

it.effect("does not forward to a blocked address", () =>
  Effect.gen(function* () {
    const block = { id: BlockId.make(v7()), reason: "complaint" } as const
    const { outcome, sent } = yield* runAttempt(relayResult("accepted"), { block })
    assert.deepStrictEqual(outcome, {
      _tag: "Blocked",
      error: "The address is blocked (complaint)",
      blockId: block.id
    })
    assert.deepStrictEqual(sent, [])
  })
)
