import { assert, it } from "@effect/vitest"
import { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { ForwardingId, ForwardingRuleId } from "@switchboard/domain/email/forwarding/ForwardingRule"
import { type ForwardedBy, forwardMark, loopReason } from "@switchboard/services/email/forwarding/ForwardMark"
import { unparsedMail } from "@switchboard/services/email/receiving/ProcessInbound"
import { MasterKey, Signatures } from "@switchboard/services/SecretBox"
import { Effect, Layer, Redacted } from "effect"
import { v7 } from "uuid"

const signaturesWithKey = (octet: number) =>
  Signatures.Live.pipe(Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32).fill(octet)))))

const rule = ForwardingRuleId.make(v7())

const markOf = (by: ForwardedBy) =>
  Effect.map(Signatures, (signatures) => forwardMark(signatures, ForwardingId.make(v7()), by))

/** The reason against forwarding a mail with these marks by the rule, or null. */
const reasonWithMarks = (...marks: ReadonlyArray<string>) =>
  Effect.map(Signatures, (signatures) => {
    const headers = marks.map((mark) => `X-Switchboard-Forwarded: ${mark}\r\nReceived: from somewhere\r\n`).join("")
    return loopReason(
      signatures,
      unparsedMail(Buffer.from(`${headers}Subject: Hello\r\n\r\nHello`), "it was read"),
      rule
    )
  })

const loopDetected = "The mail was forwarded by the same rule or catch-all before"

it.effect("detects a mail that the same rule has forwarded, and allows marks of other rules", () =>
  Effect.gen(function* () {
    const other = yield* markOf(ForwardingRuleId.make(v7()))
    assert.isNull(yield* reasonWithMarks())
    assert.isNull(yield* reasonWithMarks(other, yield* markOf(EmailDomainId.make(v7()))))
    assert.strictEqual(yield* reasonWithMarks(yield* markOf(rule)), loopDetected)
    assert.strictEqual(yield* reasonWithMarks(other, yield* markOf(rule)), loopDetected)
  }).pipe(Effect.provide(signaturesWithKey(7)))
)

it.effect("ignores marks with an invalid signature but counts them towards the limit", () =>
  Effect.gen(function* () {
    const foreign = yield* Effect.provide(markOf(rule), signaturesWithKey(8))
    const mark = yield* markOf(rule)
    const moved = `${v7()}${mark.slice(36)}`
    for (const invalid of [foreign, moved, mark.slice(0, 36), `${mark}0`, v7(), "1", ""]) {
      assert.isNull(yield* reasonWithMarks(invalid), invalid)
    }
    assert.isNull(yield* reasonWithMarks(foreign, "1"))
    assert.strictEqual(yield* reasonWithMarks(foreign, "1", "2"), "The mail was forwarded too often")
  }).pipe(Effect.provide(signaturesWithKey(7)))
)
