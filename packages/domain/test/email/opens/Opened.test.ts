import { opened } from "@switchboard/domain/email/opens/Opened"
import type { Confirmation } from "@switchboard/domain/messages/delivery/Confirmation"
import { DeliveryOutcome } from "@switchboard/domain/messages/delivery/DeliveryOutcome"
import { accepted, complained, settled, taken } from "@switchboard/domain/messages/state/MessageLifecycle"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import { DateTime } from "effect"
import { assert, describe, it } from "vitest"

const start = DateTime.unsafeMake("2026-01-01T00:00:00.000Z")
const after = (millis: number) => DateTime.add(start, { millis })
const [ada, bob, cyd] = ["ada@example.com", "bob@example.com", "cyd@example.com"] as const

/** A message that Ada and Bob have received, and that is deferred for Cyd. */
const sent = (confirmation: Confirmation = "accept") =>
  settled(
    taken(accepted([ada, bob, cyd], 8, false, start), false, start),
    DeliveryOutcome.Replied({
      replies: [
        { recipient: ada, verdict: "accepted", smtpCode: 250, response: "ok" },
        { recipient: bob, verdict: "accepted" },
        { recipient: cyd, verdict: "deferred" }
      ],
      response: "250 ok",
      providerMessageId: null,
      retryAt: after(60_000)
    }),
    confirmation,
    start
  )

const soon = after(2_000)

const statusesOf = ({ deliveries }: MessageState) => deliveries.map(({ status }) => status)

describe("An opened message", () => {
  it.each(["accept", "dsn"] as const)("is read, for the recipient that opened it (%s)", (confirmation) => {
    const state = opened(sent(confirmation), 0, soon)
    assert.strictEqual(state.status, "read")
    assert.deepStrictEqual(state.readAt, soon)
    assert.deepStrictEqual(state.statusHistory.at(-1), { status: "read", timestamp: DateTime.formatIso(soon) })
    const others = confirmation === "accept" ? "delivered" : "sent"
    assert.deepStrictEqual(statusesOf(state), ["read", others, "deferred"])
    assert.deepStrictEqual(state.deliveries[0], {
      recipient: ada,
      status: "read",
      smtpCode: 250,
      response: "ok",
      at: DateTime.formatIso(soon)
    })
  })

  it("is read once, also if it is opened again or by another recipient", () => {
    const first = opened(sent(), 0, soon)
    assert.strictEqual(opened(first, 0, after(9_000)), first)
    const second = opened(first, 1, after(9_000))
    assert.deepStrictEqual([second.readAt, second.statusHistory], [soon, first.statusHistory])
    assert.deepStrictEqual(statusesOf(second), ["read", "read", "deferred"])
  })

  it("is unchanged if the recipient has not received it or does not exist", () => {
    const state = sent()
    for (const place of [2, 3, -1]) assert.strictEqual(opened(state, place, soon), state)
  })

  it("stays complained if another recipient opens it", () => {
    const state = opened(complained(sent(), ada, start), 1, soon)
    assert.strictEqual(state.status, "complained")
    assert.isNull(state.readAt)
    assert.deepStrictEqual(statusesOf(state), ["complained", "read", "deferred"])
  })

  it("is still delivered to the other recipients", () => {
    const read = opened(sent(), 0, soon)
    const again = settled(
      taken(read, false, after(60_000)),
      DeliveryOutcome.Replied({
        replies: [{ recipient: cyd, verdict: "accepted" }],
        response: "250 ok",
        providerMessageId: null,
        retryAt: null
      }),
      "accept",
      after(60_001)
    )
    assert.strictEqual(again.status, "read")
    assert.deepStrictEqual(statusesOf(again), ["read", "delivered", "delivered"])
    assert.strictEqual(opened(again, 2, after(60_900)).deliveries[2]?.status, "read")
  })
})
