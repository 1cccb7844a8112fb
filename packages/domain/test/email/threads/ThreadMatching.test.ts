import {
  matchThread,
  parseOwnMessageId,
  type ThreadCandidate,
  threadLookups
} from "@switchboard/domain/email/threads/ThreadMatching"
import { MessageId } from "@switchboard/domain/messages/Message"
import { DateTime, Option } from "effect"
import { assert, describe, it } from "vitest"

const receivedAt = DateTime.unsafeMake("2026-01-08T12:00:00.000Z")
const messageId = MessageId.make("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b")
const empty = { signed: [], inReplyTo: [], references: [], subject: "", receivedAt }

const idOf = (place: number) => MessageId.make(`0190a1b2-c3d4-7e5f-8a9b-00000000000${place}`)

/** A received message without a subject to match. */
const candidate = (place: number, rfcMessageId: string, given: Partial<ThreadCandidate> = {}): ThreadCandidate => ({
  id: idOf(place),
  isSent: false,
  rfcMessageId,
  subject: null,
  ...given
})

describe("The lookups of a mail", () => {
  it("are the messages that it refers to, then those with the same correspondent within 7 days", () => {
    assert.deepEqual(
      threadLookups({
        signed: [idOf(1)],
        inReplyTo: ["<c@x>"],
        references: ["<a@x>", `<${messageId}@shop.test>`],
        subject: "Aw: Hello",
        receivedAt
      }),
      [
        { _tag: "ByReference", ids: [idOf(1), messageId], names: ["<c@x>", `<${messageId}@shop.test>`, "<a@x>"] },
        { _tag: "ByAuthor", since: DateTime.unsafeMake("2026-01-01T12:00:00.000Z") }
      ]
    )
  })

  it("omit the subject if it is empty or not a reply", () => {
    for (const subject of ["", "Hello", "Re:", "Re: Fwd: "]) {
      assert.deepEqual(threadLookups({ ...empty, subject }), [])
    }
  })

  it("are limited to the nearest ids", () => {
    const references = Array.from({ length: 10_000 }, (_, n) => `<${n}@x>`)
    const [lookup] = threadLookups({ ...empty, references, inReplyTo: [`<${"a".repeat(2_000)}@x>`] })
    const names = lookup?._tag === "ByReference" ? lookup.names : []
    assert.lengthOf(names, 100)
    assert.strictEqual(names[0], "<9999@x>")
  })
})

describe("The parent of a mail", () => {
  it("is found by signed address, then In-Reply-To, then References from the right, then subject", () => {
    const candidates = [
      candidate(1, "<title@x>", { subject: "Hello" }),
      candidate(2, "<a@x>"),
      candidate(3, "<b@x>"),
      candidate(4, "<c@x>"),
      candidate(5, "<signed@x>"),
      candidate(6, "<other@x>")
    ]
    const signs = {
      signed: [idOf(5)],
      inReplyTo: ["<c@x>"],
      references: ["<a@x>", "<b@x>", "<c@x>"],
      subject: "Aw: Hello",
      receivedAt
    }
    assert.deepEqual(matchThread(signs, candidates), [5, 4, 3, 2, 1].map(idOf))
  })

  it("is the sent one of messages with the same Message-ID, else the earliest", () => {
    const signs = { ...empty, inReplyTo: ["<a@x>"] }
    const received = [candidate(3, "<a@x>"), candidate(2, "<a@x>")]
    assert.deepEqual(matchThread(signs, received), [idOf(2), idOf(3)])
    const sent = candidate(4, "<a@x>", { isSent: true })
    assert.deepEqual(matchThread(signs, [...received, sent])[0], idOf(4))
  })

  it("requires the complete Message-ID, not only its local part", () => {
    const inReplyTo = [`<${messageId}@other.test>`]
    const sent = candidate(1, `<${messageId}@shop.test>`, { id: messageId, isSent: true })
    assert.deepEqual(matchThread({ ...empty, inReplyTo }, [sent]), [])
  })

  it("is the latest message with the same correspondent and base subject", () => {
    const candidates = ["Hello", "Re: Hello", "Hello there", "Aw: hello"].map((subject, place) =>
      candidate(place, `<${place}@x>`, { subject })
    )
    assert.deepEqual(matchThread({ ...empty, subject: "Re: HELLO" }, candidates), [idOf(3)])
    assert.deepEqual(matchThread({ ...empty, subject: "Hello" }, candidates), [])
  })

  it("is the message with the tags of the reply before one without them", () => {
    const candidates = ["[Order 1] Hello", "Hello", "[Order 2] Hello", "Re: [Order 2] Hello"].map((subject, place) =>
      candidate(place, `<${place}@x>`, { subject })
    )
    assert.deepEqual(matchThread({ ...empty, subject: "Re: [Order 1] Hello" }, candidates), [idOf(0)])
    assert.deepEqual(matchThread({ ...empty, subject: "Re: [list] Hello" }, candidates), [idOf(1)])
    assert.deepEqual(matchThread({ ...empty, subject: "Re: [list] [Order 1] Hello" }, candidates), [idOf(0)])
  })
})

describe("A Message-ID", () => {
  it("identifies a sent message if it has this service's form", () => {
    assert.deepEqual(parseOwnMessageId(`<${messageId}@shop.test>`), Option.some(messageId))
    for (const foreign of [
      "",
      messageId,
      `<${messageId}>`,
      `<x${messageId}@shop.test>`,
      `<${messageId}@shop.test> <a@x>`,
      "<0190a1b2-c3d4-9e5f-8a9b-0c1d2e3f4a5b@x>",
      "<CAF=abc@mail.gmail.com>"
    ]) {
      assert.deepEqual(parseOwnMessageId(foreign), Option.none(), foreign)
    }
  })
})
