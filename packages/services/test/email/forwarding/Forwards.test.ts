import { generateKeyPairSync } from "node:crypto"
import { assert, it } from "@effect/vitest"
import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { BlockId } from "@switchboard/domain/email/blocks/Block"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { ForwardingId } from "@switchboard/domain/email/forwarding/ForwardingLog"
import { ForwardingRuleId } from "@switchboard/domain/email/forwarding/ForwardingRule"
import { MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { MailRouting } from "@switchboard/services/email/domains/MailRouting"
import { type SigningKey, SigningKeys } from "@switchboard/services/email/domains/SigningKeys"
import {
  ForwardingQueue,
  type ForwardOutcome,
  type KeptMail,
  type TakenForwarding
} from "@switchboard/services/email/forwarding/ForwardingQueue"
import { forwardMark } from "@switchboard/services/email/forwarding/ForwardMark"
import { parseForwardPath } from "@switchboard/services/email/forwarding/ForwardPath"
import { Forwards } from "@switchboard/services/email/forwarding/Forwards"
import { MailSealer } from "@switchboard/services/email/forwarding/MailSealer"
import { type RawOutgoingMail, RawRelay } from "@switchboard/services/email/forwarding/RawRelay"
import { type DmarcPolicy, MailAuthenticator } from "@switchboard/services/email/receiving/MailAuthenticator"
import { MailDeferred, MailRefused, RelayUnavailable } from "@switchboard/services/messages/delivery/MailTransport"
import { MasterKey, Signatures } from "@switchboard/services/Signatures"
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
  takeovers: 0,
  isRepeat: false
}

const kept: KeptMail = {
  mailFrom: "ada@example.com",
  raw: new TextEncoder().encode(raw),
  remoteAddress: "192.0.2.1",
  helo: "evil\r\nX-Header: <injected>",
  tls: true,
  receivedAt: start
}

const said = (verdict: "accepted" | "refused" | "deferred") =>
  Effect.succeed({
    replies: [{ recipient: taken.forwardTo, verdict, smtpCode: 250, response: `${verdict} it` }],
    response: null,
    providerMessageId: null
  })

const SignaturesLive = Signatures.Live.pipe(
  Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32).fill(7))))
)

interface Circumstances {
  /** Minutes since it was decided. */
  readonly after?: number
  readonly mail?: ReturnType<ForwardingQueue["Type"]["mail"]>
  readonly block?: TakenForwarding["block"]
  readonly key?: Option.Option<SigningKey>
  readonly rule?: Partial<Pick<TakenForwarding, "recipients" | "rewriteFrom">>
  readonly policy?: DmarcPolicy
}

/** How an attempt ends, and what was sent. */
const attempted = (
  answer: ReturnType<RawRelay["Type"]["send"]>,
  {
    after = 0,
    block = null,
    key = Option.none(),
    mail = Effect.succeedSome(kept),
    policy = "reject",
    rule = {}
  }: Circumstances = {}
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
            answer
          )
      }),
      Layer.succeed(SigningKeys, new SigningKeys({ signingKeyOf: () => Effect.succeed(key) })),
      Layer.succeed(MailSealer, {
        seal: (_, { domain, selector }) => Effect.succeed(`ARC-Seal: d=${domain}; s=${selector}\r\n`),
        rewrite: (_, address, { domain, selector }) =>
          Effect.succeed(Buffer.from(`DKIM-Signature: d=${domain}; s=${selector}\r\nFrom: ${address}\r\n\r\nHello\r\n`))
      }),
      Layer.mock(MailAuthenticator, { senderPolicy: () => Effect.succeed(policy) }),
      Layer.succeed(MailRouting, { mailHostname: "mail.switchboard.test", spfInclude: null }),
      SignaturesLive
    )
    const outcome = yield* Effect.flatMap(Forwards, ({ attempt }) => attempt({ ...taken, ...rule, block })).pipe(
      Effect.provide(Forwards.Default.pipe(Layer.provide(Ports)))
    )
    return { outcome, sent }
  })

it.effect("A mail goes on as it came, with its trace, from an address that tells what it was", () =>
  Effect.gen(function* () {
    const mark = forwardMark(yield* Signatures, taken.id, taken.by)
    const { outcome, sent } = yield* attempted(said("accepted"))
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

it.effect("A notification goes on without a reverse-path", () =>
  Effect.gen(function* () {
    const { sent } = yield* attempted(said("accepted"), { mail: Effect.succeedSome({ ...kept, mailFrom: "" }) })
    assert.deepStrictEqual(
      sent.map(({ mailFrom }) => mailFrom),
      [""]
    )
  })
)

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 1024 })
const key = Option.some<SigningKey>({ selector: "sm2", privateKey, isVerified: true, receives: true })

it.effect("A mail is sealed with the active key of the domain that forwards it", () =>
  Effect.gen(function* () {
    const { sent } = yield* attempted(said("accepted"), { key })
    assert.match(
      Buffer.from(sent[0]?.raw ?? []).toString(),
      /^ARC-Seal: d=desk\.test; s=sm2\r\nX-Switchboard-Forwarded: /
    )
  })
)

it.effect("A rule with rewriteFrom rewrites the From of senders with an enforced or unknown policy", () =>
  Effect.gen(function* () {
    const rule = { rewriteFrom: true }
    const text = (given: Circumstances) =>
      Effect.map(attempted(said("accepted"), given), ({ sent }) => Buffer.from(sent[0]?.raw ?? []).toString())
    const rewritten =
      /^X-Switchboard-Forwarded: .*\r\nReceived: (?:.|\r\n\t)*\r\nDKIM-Signature: d=desk\.test; s=sm2\r\n/
    for (const policy of ["reject", "quarantine", "unknown"] as const) {
      const raw = yield* text({ key, policy, rule })
      assert.match(raw, rewritten, policy)
      assert.match(raw, /\r\nFrom: help@desk\.test\r\n\r\nHello\r\n$/, policy)
    }
    const reply = yield* text({ key, rule: { ...rule, recipients: [] } })
    assert.include(reply, "\r\nFrom: postmaster@desk.test\r\n")
    for (const given of [{ key, rule, policy: "none" }, { key }, { rule }] satisfies ReadonlyArray<Circumstances>) {
      const raw = yield* text(given)
      assert.notInclude(raw, "DKIM-Signature")
      assert.include(raw, "\r\nFrom: ada@example.com\r\n\r\nHello")
      assert.strictEqual(raw.startsWith("ARC-Seal: d=desk.test"), "key" in given)
    }
  })
)

it.effect("What is refused has failed; what is put off is tried again, later and later, for twelve hours", () =>
  Effect.gen(function* () {
    const failed = (error: string): ForwardOutcome => ({ _tag: "Failed", error })
    assert.deepStrictEqual((yield* attempted(said("refused"))).outcome, failed("refused it"))
    assert.deepStrictEqual(
      (yield* attempted(new MailRefused({ smtpCode: 554, response: "554 Spam" }))).outcome,
      failed("554 Spam")
    )
    const deferrals = [
      said("deferred"),
      new MailDeferred({ smtpCode: 451, response: "451 Later" }),
      new RelayUnavailable({ response: "Nobody there" })
    ]
    for (const deferral of deferrals) {
      for (const [after, minutes] of [
        [0, 0.5],
        [7, 7],
        [300, 60]
      ] as const) {
        const { outcome } = yield* attempted(deferral, { after })
        assert.deepStrictEqual(outcome, { _tag: "Later", wait: Duration.minutes(minutes) })
      }
      const { outcome } = yield* attempted(deferral, { after: 12 * 60 + 1 })
      assert.match(outcome._tag === "Failed" ? outcome.error : "", /^It was tried for 12 hours: ./)
    }
  })
)

it.effect("A mail that is not kept any more goes nowhere, and one that can't be read waits", () =>
  Effect.gen(function* () {
    const gone = yield* attempted(said("accepted"), { mail: Effect.succeedNone })
    assert.deepStrictEqual(gone, { outcome: { _tag: "Failed", error: "The mail is not kept any more" }, sent: [] })
    const away = new ServiceUnavailableError({ message: "away", retryAfterSeconds: 1 })
    const waits = yield* attempted(said("accepted"), { mail: away })
    assert.strictEqual(waits.outcome._tag, "Later")
  })
)

it.effect("Who is blocked gets nothing", () =>
  Effect.gen(function* () {
    const block = { id: BlockId.make(v7()), reason: "complaint" } as const
    const { outcome, sent } = yield* attempted(said("accepted"), { block })
    assert.deepStrictEqual(outcome, {
      _tag: "Blocked",
      error: "The address is blocked (complaint)",
      blockId: block.id
    })
    assert.deepStrictEqual(sent, [])
  })
)
