import { assert, describe, it } from "@effect/vitest"
import { HandsetCallbackTarget } from "@switchboard/channels/handset/HandsetCallbacks"
import { HandsetDestination, HandsetPhones } from "@switchboard/channels/handset/HandsetPhones"
import type { HandsetAddress } from "@switchboard/channels/handset/HandsetServer"
import { segmentText } from "@switchboard/domain/sms/SmsText"
import { HandsetPhone } from "@switchboard/services/handset/HandsetPhone"
import type { ProviderEvent } from "@switchboard/services/providers/ProviderEvent"
import { Effect, Queue, Redacted } from "effect"
import { heldLease } from "../Fixtures.js"
import { handsetFixture, smppTransportTo, sms } from "./SmsFixture.js"

const receiptOf = (event: ProviderEvent) => (event._tag === "Receipt" ? event : assert.fail("not a receipt"))
const textOf = (event: ProviderEvent) => (event._tag === "ReceivedText" ? event : assert.fail("not a text"))

const texts = [
  "a".repeat(160),
  "a".repeat(161),
  `${"a".repeat(152)}€${"b".repeat(10)}`,
  "ж".repeat(70),
  "ж".repeat(71),
  `${"ж".repeat(66)}😀${"ж".repeat(10)}`,
  "z".repeat(1_530),
  "@£$ {[~]} €"
]

describe("The transport with the local handset", () => {
  it.scopedLive("sends texts at the limits of segments, and receives a receipt for each segment", () =>
    Effect.gen(function* () {
      const handset = yield* handsetFixture()
      const transport = yield* smppTransportTo(handset.port)
      for (const [index, text] of texts.entries()) {
        const { replies } = yield* transport.send(sms({ text, to: `+491700000010${index}` }), heldLease)
        const [reply = assert.fail("no reply")] = replies
        const { encoding, segments } = segmentText(text)
        assert.strictEqual(reply.verdict, "accepted")
        assert.strictEqual(reply.providerMessageIds?.length, segments.length)
        const received = handset.stored[index] ?? assert.fail("not stored")
        assert.deepStrictEqual(
          { from: received.from, to: received.to, text: received.text },
          { from: "+4915100000000", to: `+491700000010${index}`, text }
        )
        assert.deepStrictEqual(
          { id: received.id as string, encoding: received.encoding, segments: received.segments },
          { id: reply.providerMessageIds?.[0] ?? "", encoding, segments: segments.length }
        )
        const receipts = yield* Queue.takeN(transport.events, segments.length)
        assert.deepStrictEqual(
          [...receipts].map((event) => receiptOf(event).providerMessageIds[0]).sort(),
          [...(reply.providerMessageIds ?? [])].sort()
        )
        for (const receipt of receipts) assert.strictEqual(receiptOf(receipt).status, "delivered")
      }
    })
  )

  it.scopedLive("simulates undeliverable, expired and throttled numbers", () =>
    Effect.gen(function* () {
      const handset = yield* handsetFixture()
      const transport = yield* smppTransportTo(handset.port)
      yield* transport.send(sms({ to: "+491700000001" }), heldLease)
      const undelivered = receiptOf(yield* Queue.take(transport.events))
      assert.deepInclude(undelivered, { status: "failed", errorCode: "UNDELIV 001" })
      yield* transport.send(sms({ to: "+491700000002" }), heldLease)
      assert.deepInclude(receiptOf(yield* Queue.take(transport.events)), { status: "failed", errorCode: "EXPIRED" })
      const throttled = yield* Effect.flip(transport.send(sms({ to: "+491700000003" }), heldLease))
      assert.strictEqual(throttled._tag, "ProviderUnavailable")
      const accepted = yield* transport.send(sms({ to: "+491700000003" }), heldLease)
      assert.strictEqual(accepted.replies[0]?.verdict, "accepted")
    })
  )

  it.scopedLive("delivers 2,000 texts that are sent at once, with their receipts", () =>
    Effect.gen(function* () {
      const handset = yield* handsetFixture()
      const transport = yield* smppTransportTo(handset.port)
      const sent = yield* Effect.forEach(
        Array.from({ length: 2_000 }, (_, index) => index),
        (index) => transport.send(sms({ text: `Text ${index} ${"€".repeat(70)}`, to: `+4917100${index}0` }), heldLease),
        { concurrency: "unbounded" }
      )
      const ids = sent.flatMap(({ replies }) => replies.flatMap(({ providerMessageIds = [] }) => providerMessageIds))
      assert.strictEqual(new Set(ids).size, ids.length)
      assert.strictEqual(handset.stored.length, 2_000)
      const receipts = yield* Queue.takeN(transport.events, ids.length)
      assert.deepStrictEqual(
        new Set([...receipts].map((event) => receiptOf(event).providerMessageIds[0])),
        new Set(ids)
      )
    })
  )

  it.scopedLive("repeats a receipt until it is stored", () =>
    Effect.gen(function* () {
      const handset = yield* handsetFixture()
      const transport = yield* smppTransportTo(handset.port)
      transport.storage.isDown = true
      yield* transport.send(sms(), heldLease)
      yield* Queue.take(transport.storage.refused)
      transport.storage.isDown = false
      assert.strictEqual(receiptOf(yield* Queue.take(transport.events)).status, "delivered")
    })
  )

  it.scopedLive("sends a receipt to another session when the one that submitted is gone", () =>
    Effect.gen(function* () {
      const handset = yield* handsetFixture()
      yield* Effect.scoped(
        Effect.gen(function* () {
          const transport = yield* smppTransportTo(handset.port)
          transport.storage.isDown = true
          yield* transport.send(sms(), heldLease)
          yield* Queue.take(transport.storage.refused)
        })
      )
      const next = yield* smppTransportTo(handset.port)
      assert.strictEqual(receiptOf(yield* Queue.take(next.events)).status, "delivered")
    })
  )

  it.scopedLive("defers a text that the handset can't store", () =>
    Effect.gen(function* () {
      const handset = yield* handsetFixture()
      const transport = yield* smppTransportTo(handset.port)
      handset.storage.isDown = true
      const { replies } = yield* transport.send(sms(), heldLease)
      assert.deepInclude(replies[0], { verdict: "deferred", errorCode: "0x00000008" })
      const long = yield* Effect.flip(transport.send(sms({ text: "a".repeat(200) }), heldLease))
      assert.deepInclude(long, { _tag: "SendDeferred", mayBeTaken: true })
      handset.storage.isDown = false
      yield* transport.send(sms({ text: "a".repeat(200) }), heldLease)
      assert.deepStrictEqual(
        handset.stored.map(({ text }) => text),
        ["a".repeat(200)]
      )
    })
  )
})

describe("A phone of the local handset", () => {
  const phoneOf = (address: typeof HandsetAddress.Service) =>
    Effect.provide(HandsetPhone, HandsetPhones).pipe(
      Effect.provideService(HandsetCallbackTarget, {
        url: Effect.never,
        listens: () => Effect.void,
        appSecret: Redacted.make("")
      }),
      Effect.provideService(HandsetDestination, { get: Effect.succeedSome(address), set: () => Effect.void })
    )

  it.scopedLive("sends texts to the service, long ones in parts", () =>
    Effect.gen(function* () {
      const handset = yield* handsetFixture()
      const transport = yield* smppTransportTo(handset.port)
      yield* transport.probe
      const phone = yield* phoneOf(handset)
      yield* phone.send({
        channel: "sms",
        answers: "",
        file: null,
        from: "+4917000000000",
        to: "+4915100000000",
        text: "Ja, gern 😀"
      })
      const short = textOf(yield* Queue.take(transport.events))
      assert.deepInclude(short, { from: "+4917000000000", to: "+4915100000000", text: "Ja, gern 😀", part: null })
      yield* phone.send({
        channel: "sms",
        answers: "",
        file: null,
        from: "+4917000000000",
        to: "12345",
        text: "x".repeat(200)
      })
      const parts = [...(yield* Queue.takeN(transport.events, 2))].map(textOf)
      assert.strictEqual(parts.map(({ text }) => text).join(""), "x".repeat(200))
      assert.deepStrictEqual(
        parts.map(({ part, to }) => [to, part?.number, part?.total]),
        [
          ["12345", 1, 2],
          ["12345", 2, 2]
        ]
      )
      assert.strictEqual(parts[0]?.part?.reference, parts[1]?.part?.reference)
    })
  )

  it.scopedLive("fails when no service is bound, and when the service can't store the text", () =>
    Effect.gen(function* () {
      const handset = yield* handsetFixture()
      const phone = yield* phoneOf(handset)
      const text = {
        channel: "sms",
        answers: "",
        file: null,
        from: "+4917000000000",
        to: "+4915100000000",
        text: "Hello"
      } as const
      assert.strictEqual((yield* Effect.flip(phone.send(text)))._tag, "ServiceUnavailableError")
      const transport = yield* smppTransportTo(handset.port)
      yield* transport.probe
      transport.storage.isDown = true
      assert.strictEqual((yield* Effect.flip(phone.send(text)))._tag, "ServiceUnavailableError")
      transport.storage.isDown = false
      yield* phone.send(text)
      assert.strictEqual(textOf(yield* Queue.take(transport.events)).text, "Hello")
    })
  )
})
