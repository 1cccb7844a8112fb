import { assert, describe, it } from "@effect/vitest"
import { clicked } from "@switchboard/domain/email/tracking/Engagement"
import { DeliveryOutcome } from "@switchboard/domain/messages/delivery/DeliveryOutcome"
import { Message, type StatusEntry } from "@switchboard/domain/messages/Message"
import { messageAsOf } from "@switchboard/domain/messages/state/MessageAsOf"
import { MessageEventData } from "@switchboard/domain/messages/state/MessageEventData"
import { accepted, settled, taken } from "@switchboard/domain/messages/state/MessageLifecycle"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import { Arbitrary, DateTime, FastCheck, Option, Schema } from "effect"

const start = DateTime.unsafeMake("2026-11-20T09:30:00.000Z")
const at = (seconds: number) => DateTime.add(start, { seconds })

const anyMessage = FastCheck.sample(Arbitrary.make(Schema.typeSchema(Message)), { numRuns: 1, seed: 7 })[0]
const recipients = ["ada@example.com", "bob@example.com"]

const email = {
  subject: "Hi",
  html: "<p>secret</p>",
  text: "secret",
  from: "us@example.com",
  replyTo: [],
  attachments: []
}

const messageIn = ({ clicks, deliveries, ...state }: MessageState): Message => {
  if (anyMessage === undefined) throw new Error("no message")
  return new Message(
    {
      ...anyMessage,
      ...state,
      content: email,
      emailMetadata: { messageId: "<m>", to: recipients, cc: [], bcc: [], headers: {}, tags: [], deliveries, clicks }
    },
    { disableValidation: true }
  )
}

/** The states of a message: deferred once, then accepted for one of two recipients, and delivered. */
const states = (() => {
  const first = accepted(recipients, 8, false, start)
  const second = taken(first, false, at(1))
  const third = settled(
    second,
    DeliveryOutcome.Deferred({ code: "deferred", smtpCode: 451, response: "later", retryAt: at(30) }),
    "accept",
    at(2)
  )
  const fourth = taken(third, false, at(30))
  const fifth = settled(
    fourth,
    DeliveryOutcome.Replied({
      replies: [
        { recipient: "ada@example.com", verdict: "accepted", smtpCode: 250, response: "OK" },
        { recipient: "bob@example.com", verdict: "refused", smtpCode: 550, response: "no such user" }
      ],
      response: "250 OK",
      providerMessageId: "p1",
      retryAt: null
    }),
    "accept",
    at(31)
  )
  return [first, second, third, fourth, fifth]
})()

const last = states[states.length - 1] ?? states[0]
const message = Schema.encodeSync(Message)(messageIn(last ?? accepted([], 0, false, start)))
const messageAt = (step: unknown) => messageAsOf(message, step)

describe("A message as of an event", () => {
  it("has no body and no attachments", () => {
    for (const entry of last?.statusHistory ?? []) {
      assert.hasAllKeys(messageAt(entry).content, ["subject", "from", "replyTo"])
    }
  })

  it("has the reply text of a received mail", () => {
    const content = { ...email, text: "Yes\n> No", replyText: "Yes" }
    assert.propertyVal(messageAsOf({ ...message, content }, null).content, "replyText", "Yes")
  })

  it("has the status and the history up to the event", () => {
    const history = last?.statusHistory ?? []
    assert.deepStrictEqual(
      history.map(({ status }) => status),
      ["pending", "processing", "queued", "processing", "sent", "delivered"]
    )
    history.forEach((entry: StatusEntry, index) => {
      const data = messageAt(entry)
      assert.strictEqual(data.status, entry.status)
      assert.deepStrictEqual(data.statusHistory, history.slice(0, index + 1))
    })
  })

  it("has sentAt and deliveredAt only from the event on, also if both have the same time", () => {
    const history = last?.statusHistory ?? []
    const of = (index: number) => {
      const data = messageAt(history[index])
      return [data.sentAt !== null, data.deliveredAt !== null, data.providerMessageId !== null]
    }
    assert.deepStrictEqual(
      history.map((_, index) => of(index)),
      [
        [false, false, false],
        [false, false, false],
        [false, false, false],
        [false, false, false],
        [true, false, true],
        [true, true, true]
      ]
    )
  })

  it("has the recipients' statuses at the time of the event", () => {
    const history = last?.statusHistory ?? []
    const statuses = (index: number) => messageAt(history[index]).emailMetadata?.deliveries.map(({ status }) => status)
    assert.deepStrictEqual(statuses(0), ["pending", "pending"])
    assert.deepStrictEqual(statuses(3), ["pending", "pending"])
    assert.deepStrictEqual(statuses(4), ["sent", "bounced"])
    assert.deepStrictEqual(statuses(5), ["delivered", "bounced"])
  })

  it("is the first state for the creation event, which has only a time", () => {
    assert.strictEqual(messageAt({ timestamp: DateTime.formatIso(start) }).status, "pending")
  })

  it("is encoded as in the event schema at every step", () => {
    for (const step of last?.statusHistory ?? []) {
      const decoded = Schema.decodeUnknownOption(MessageEventData)(messageAt(step))
      const encoded = Option.flatMap(decoded, Schema.encodeOption(MessageEventData))
      assert.deepStrictEqual(Option.getOrNull(encoded), messageAt(step), step.status)
    }
  })

  it("has the clicks and the status at the time of a click, of which the event stores only the time", () => {
    const link = { client: "other", url: "https://example.com/", userAgent: undefined } as const
    const times = [at(40), at(50)]
    const state = times.reduce(
      (before, time) => clicked(before, 0, { ...link, at: time }),
      last ?? accepted([], 0, false, start)
    )
    const read = Schema.encodeSync(Message)(messageIn(state))
    const [first, second] = times.map((time) =>
      messageAsOf(read, { timestamp: DateTime.formatIso(time), isFirst: false })
    )
    assert.deepStrictEqual(
      [first, second].map((data) => [data?.status, data?.emailMetadata?.clicks?.map((click) => click.at)]),
      [
        ["read", [DateTime.formatIso(at(40))]],
        ["read", times.map(DateTime.formatIso)]
      ]
    )
    const delivered = messageAsOf(read, last?.statusHistory.at(-1))
    assert.strictEqual(delivered.status, "delivered")
    assert.notProperty(delivered.emailMetadata, "clicks")
  })
})
