import { assert, it } from "@effect/vitest"
import { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { ForwardingId } from "@switchboard/domain/email/forwarding/ForwardingLog"
import { ForwardingRuleId } from "@switchboard/domain/email/forwarding/ForwardingRule"
import { type ForwardedBy, forwardMark, loopOf } from "@switchboard/services/email/forwarding/ForwardMark"
import { unreadMail } from "@switchboard/services/email/receiving/UnreadMail"
import { MasterKey, Signatures } from "@switchboard/services/Signatures"
import { Effect, Layer, Redacted } from "effect"
import { v7 } from "uuid"

const keyed = (octet: number) =>
  Signatures.Live.pipe(Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32).fill(octet)))))

const rule = ForwardingRuleId.make(v7())

const markOf = (by: ForwardedBy) =>
  Effect.map(Signatures, (signatures) => forwardMark(signatures, ForwardingId.make(v7()), by))

/** What is said of a mail with these marks which the rule would forward. */
const told = (...marks: ReadonlyArray<string>) =>
  Effect.map(Signatures, (signatures) => {
    const headers = marks.map((mark) => `X-Switchboard-Forwarded: ${mark}\r\nReceived: from somewhere\r\n`).join("")
    return loopOf(signatures, unreadMail(Buffer.from(`${headers}Subject: Hello\r\n\r\nHello`), "it was read"), rule)
  })

const back = "The mail came back to what had forwarded it"

it.effect("A mail that comes back is known by what had forwarded it, at once; whatever else forwarded it may", () =>
  Effect.gen(function* () {
    const other = yield* markOf(ForwardingRuleId.make(v7()))
    assert.isNull(yield* told())
    assert.isNull(yield* told(other, yield* markOf(EmailDomainId.make(v7()))))
    assert.strictEqual(yield* told(yield* markOf(rule)), back)
    assert.strictEqual(yield* told(other, yield* markOf(rule)), back)
  }).pipe(Effect.provide(keyed(7)))
)

it.effect("Nobody else can say that it came back, but anybody that it was forwarded too often", () =>
  Effect.gen(function* () {
    const foreign = yield* Effect.provide(markOf(rule), keyed(8))
    const mark = yield* markOf(rule)
    const moved = `${v7()}${mark.slice(36)}`
    for (const said of [foreign, moved, mark.slice(0, 36), `${mark}0`, v7(), "1", ""]) {
      assert.isNull(yield* told(said), said)
    }
    assert.isNull(yield* told(foreign, "1"))
    assert.strictEqual(yield* told(foreign, "1", "2"), "The mail was forwarded too often")
  }).pipe(Effect.provide(keyed(7)))
)
