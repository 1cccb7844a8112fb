import { answerCandidates, idOfOwn } from "@switchboard/domain/email/threads/AnswerCandidates"
import { MessageId } from "@switchboard/domain/messages/Message"
import { DateTime, Option } from "effect"
import { assert, describe, it } from "vitest"

const receivedAt = DateTime.unsafeMake("2026-01-08T12:00:00.000Z")
const messageId = MessageId.make("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b")
const nothing = { signed: [], inReplyTo: [], references: [], subject: "", receivedAt }

describe("What a mail may answer", () => {
  it("is what its signed address says, then what it answers, then what it refers to from the right, then its subject", () => {
    const found = answerCandidates({
      signed: [messageId],
      inReplyTo: ["<c@x>"],
      references: ["<a@x>", "<b@x>"],
      subject: "Aw: Hello",
      receivedAt
    })
    assert.deepEqual(found, [
      { _tag: "Signed", messageId },
      { _tag: "Named", rfcMessageId: "<c@x>" },
      { _tag: "Named", rfcMessageId: "<b@x>" },
      { _tag: "Named", rfcMessageId: "<a@x>" },
      { _tag: "Titled", baseSubject: "hello", since: DateTime.unsafeMake("2026-01-01T12:00:00.000Z") }
    ])
  })

  it("is nothing by a subject that answers nothing, or is empty", () => {
    for (const subject of ["", "Hello", "Re:", "Re: Fwd: "]) {
      assert.deepEqual(answerCandidates({ ...nothing, subject }), [])
    }
  })

  it("is found among the nearest ids, however many there are", () => {
    const references = Array.from({ length: 10_000 }, (_, n) => `<${n}@x>`)
    const found = answerCandidates({ ...nothing, references, inReplyTo: [`<${"a".repeat(2_000)}@x>`] })
    assert.lengthOf(found, 100)
    assert.deepEqual(found[0], { _tag: "Named", rfcMessageId: "<9999@x>" })
  })

  it("is one that we sent, if its Message-ID has our form", () => {
    assert.deepEqual(idOfOwn(`<${messageId}@shop.test>`), Option.some(messageId))
    for (const foreign of [
      "",
      messageId,
      `<${messageId}>`,
      `<x${messageId}@shop.test>`,
      `<${messageId}@shop.test> <a@x>`,
      "<0190a1b2-c3d4-9e5f-8a9b-0c1d2e3f4a5b@x>",
      "<CAF=abc@mail.gmail.com>"
    ]) {
      assert.deepEqual(idOfOwn(foreign), Option.none(), foreign)
    }
  })
})
