import { type Click, maxClicks } from "@switchboard/domain/email/tracking/Click"
import { clicked, type FollowedLink, opened as openedBy } from "@switchboard/domain/email/tracking/Engagement"
import type { RequestClient } from "@switchboard/domain/email/tracking/TrackedRequest"
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

/** Opens the mail of a delivery with an ordinary client. */
const opened = (state: MessageState, place: number, at: DateTime.Utc) => openedBy(state, place, { at, client: "other" })

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
    assert.strictEqual(opened(again, 2, after(62_001)).deliveries[2]?.status, "read")
  })

  it("is unchanged by a scanner, within 2 seconds of its delivery, unless the local mailbox simulates the reader", () => {
    const state = sent()
    assert.strictEqual(opened(state, 0, after(1_999)), state)
    assert.strictEqual(openedBy(state, 0, { at: after(9_000), client: "automatic" }), state)
    assert.strictEqual(openedBy(state, 0, { at: start, client: "mailbox" }).status, "read")
  })
})

const url = "https://example.com/orders?id=1&from=mail"
const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"

/** Follows a link of a delivery's mail. */
const click = (
  state: MessageState,
  at: DateTime.Utc,
  { client = "other", place = 0, ...link }: Partial<FollowedLink> & { client?: RequestClient; place?: number } = {}
) => clicked(state, place, { at, client, url, userAgent, ...link })

const first: Click = { url, recipient: ada, at: DateTime.formatIso(soon), userAgent }

describe("A message with a click", () => {
  it("is read, and keeps the click with its recipient", () => {
    const state = click(sent(), soon)
    assert.deepStrictEqual([state.status, state.readAt, state.clicks], ["read", soon, [first]])
    assert.deepStrictEqual(statusesOf(state), ["read", "delivered", "deferred"])
  })

  it("keeps every click and is read once", () => {
    const state = click(click(sent(), soon), after(2_500), { userAgent: undefined, url: "https://example.com/" })
    assert.deepStrictEqual(state.clicks, [
      first,
      { url: "https://example.com/", recipient: ada, at: DateTime.formatIso(after(2_500)) }
    ])
    assert.deepStrictEqual([state.readAt, state.updatedAt], [soon, after(2_500)])
    const other = click(state, after(3_000), { place: 1 })
    assert.deepStrictEqual([other.readAt, other.clicks.at(-1)?.recipient], [soon, bob])
  })

  it.each([
    ["a scanner", after(9_000), { client: "automatic" }],
    ["a request within 2 seconds of the delivery", after(1_999), {}],
    ["a request before the delivery is known", after(-50), {}],
    ["a request for a mail that was not delivered", after(9_000), { place: 2 }]
  ] as const)("changes nothing else for %s, which is marked", (_, at, how) => {
    const state = sent()
    const after = click(state, at, how)
    assert.deepStrictEqual(after, { ...state, clicks: after.clicks })
    assert.deepStrictEqual(
      after.clicks.map(({ isLikelyBot }) => isLikelyBot),
      [true]
    )
  })

  it("counts a click of the local mailbox at once", () => {
    assert.strictEqual(click(sent(), start, { client: "mailbox" }).status, "read")
  })

  it("is unchanged for a recipient that does not exist", () => {
    const state = sent()
    for (const place of [3, -1]) assert.strictEqual(click(state, soon, { place }), state)
  })

  it("keeps the first 100 clicks; a person's replaces the last one of a bot", () => {
    const bots = Array.from({ length: maxClicks }).reduce<MessageState>(
      (state, _, at) => click(state, after(at), { client: "automatic" }),
      sent()
    )
    assert.strictEqual(click(bots, soon, { client: "automatic" }), bots)
    const one = click(bots, soon)
    assert.deepStrictEqual([one.clicks.length, one.clicks.at(-1), one.status], [maxClicks, first, "read"])
    assert.deepStrictEqual(one.clicks.slice(0, -1), bots.clicks.slice(0, -1))
    const full = Array.from({ length: 2 * maxClicks }).reduce<MessageState>((state) => click(state, soon), bots)
    assert.lengthOf(full.clicks, maxClicks)
    assert.isTrue(full.clicks.every(({ isLikelyBot }) => isLikelyBot === undefined))
    assert.strictEqual(click(full, after(9_000)), full)
  })
})
