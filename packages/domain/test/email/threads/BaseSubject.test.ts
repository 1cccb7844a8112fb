import {
  isAutomaticSubject,
  isReplySubject,
  parentRank,
  threadSubject
} from "@switchboard/domain/email/threads/BaseSubject"
import { Option } from "effect"
import { assert, describe, it } from "vitest"

const baseSubject = (subject: string) => threadSubject(subject).base

const replySubjects: ReadonlyArray<string> = [
  "Re: Your order",
  "RE: Your order",
  "re:Your order",
  "Re : Your order",
  "Re:  Your   order ",
  "Re: Re: Re: Your order",
  "Re[2]: Your order",
  "Re(3): Your order",
  "Re^2: Your order",
  "RE [4] : Your order",
  "Aw: Your order",
  "AW: AW: Your order",
  "Antw: Your order",
  "Antwort: Your order",
  "SV: Your order",
  "Vs: Your order",
  "Odp: Your order",
  "ODP: Re: Your order",
  "RIF: Your order",
  "R: Your order",
  "Rép : Your order",
  "RE\u0301P: Your order",
  "Rép\u00a0: Your order",
  "RES: Your order",
  "YNT: Your order",
  "Vá: Your order",
  "ΑΠ: Your order",
  "Ответ: Your order",
  "回复: Your order",
  "回复：Your order",
  "答复： Your order",
  "回覆: Your order",
  "返信: Your order",
  "Re：Your order",
  "Fwd: Your order",
  "FW: Your order",
  "WG: Your order",
  "TR : Your order",
  "RV: Your order",
  "ENC: Your order",
  "Doorst: Your order",
  "转发: Your order",
  "İLT: Your order",
  "AW: WG: RE: Your order",
  "Re: [EXTERNAL] Your order",
  "[EXT] RE: Your order",
  "RE: [External Email] Re: Your order",
  "[Ticket#1815] Re: Your order",
  "[list] [Ticket#1815] AW: Your order",
  "[list] Re: [EXTERNAL] [Ticket 5] Re: Your order",
  "【社外】Re: Your order",
  "SPAM: Re: Your order",
  "***SPAM*** Re: Your order",
  "Re: ***SPAM*** Your order",
  "*****SPAM***** Re: *****SPAM***** Your order",
  "*****SPAM 7.5***** RE: Your order",
  "*** SPAM *** Re: Your order",
  "**EXTERNAL EMAIL** Re: Your order",
  "[SPAM] Re: Your order",
  "Re: [SPAM] Your order",
  "RE: [SUSPECTED SPAM] Your order",
  "RE: [Possible Spam] [EXTERNAL] Your order",
  "Re: {Spam?} Your order",
  "{Spam?} Re: Your order",
  "{Definitely Spam?} Re: Your order",
  "Re: [***SPAM***] Your order",
  "Re: [SPAM:####] Your order",
  "Re: (SPAM) Your order",
  "Re: [Spam-Verdacht] Your order",
  "Re: [PHISHING?] Your order",
  "Re: [EXTERNAL]: Your order",
  "Re: [EXTERNAL] - Your order",
  "<EXTERNAL> Re: Your order",
  "Re: Your order (fwd)",
  "[Fwd: Your order]",
  "Re: [Fwd: Your order]",
  "Re:\tYour order",
  "Automatic reply: Your order",
  "Automatische Antwort: AW: Your order",
  "Réponse automatique : Your order",
  "自动回复: Your order"
]

const otherSubjects: ReadonlyArray<string> = [
  "",
  "Your order",
  "Regarding: your order",
  "Receipt: 12",
  "Rest: is best",
  "[Shop] Your order",
  "Your order: Re: stock",
  "Re Your order",
  "2: Your order",
  "[list] [Ticket 5] Your order",
  "{list} Your order",
  "spam: your order",
  "[anti-spam club] your order",
  "** your order **",
  "(external) your order",
  "回复 Your order"
]

describe("The base subject of a mail", () => {
  it.each(replySubjects)("omits reply and forward prefixes: %s", (subject) => {
    assert.strictEqual(baseSubject(subject), "your order")
    assert.isTrue(isReplySubject(subject))
  })

  it.each(otherSubjects)("is the subject itself: %s", (subject) => {
    assert.strictEqual(baseSubject(subject), subject.toLowerCase())
    assert.isFalse(isReplySubject(subject))
  })

  it("omits the marks of filters from a subject without a prefix", () => {
    for (const subject of [
      "***SPAM*** Your order",
      "[SPAM] Your order",
      "{Spam?} Your order",
      "[EXTERNAL] Your order"
    ]) {
      assert.deepStrictEqual(threadSubject(subject), { isReply: false, base: "your order", forms: ["your order"] })
    }
  })

  it("keeps tags that distinguish threads", () => {
    assert.strictEqual(baseSubject("Re: [Order 1815] Your receipt"), "[order 1815] your receipt")
    assert.notStrictEqual(baseSubject("Re: [Order 1815] Your receipt"), baseSubject("[Order 1816] Your receipt"))
    assert.strictEqual(baseSubject("RE: RE: ПРИВЕТ"), baseSubject("привет"))
    assert.strictEqual(baseSubject("Re:"), "")
    assert.isTrue(isReplySubject("Re:"))
  })

  // Quadratic time would exceed the deadline of the test by far.
  it("is computed for long subjects of one piece", () => {
    for (const part of [
      "Re: ",
      "[",
      "[a] ",
      "{",
      "*",
      "*spam",
      "[spam ",
      "***SPAM*** ",
      "(* spam",
      "[a]",
      "Re[",
      "Re [1",
      " ",
      "re\u3000",
      "[fwd: "
    ]) {
      assert.isString(baseSubject(part.repeat(1_000_000)))
      assert.isBoolean(isReplySubject(part.repeat(1_000_000)))
    }
  })
})

describe("A subject", () => {
  it.each([
    ["Re: [list] Hello", "Hello"],
    ["[Ticket 12] Re: [list] Hello", "Hello"],
    ["Re: [list] [Ticket 12] Hello", "Hello"],
    ["Re: [list] ***SPAM*** Hello", "Hello"],
    ["Re: [list] Hello", "[list] Hello"],
    ["[list] Re: Hello", "[list] Hello"],
    ["Re: Hello", "Re: [list] Hello"],
    ["Re: Hello", "{Spam?} Hello"],
    ["Re: [A] Hello", "Re: [A] Hello"],
    ["Re: [Shop]", "[Shop]"]
  ])("answers: %s – %s", (reply, answered) => {
    assert.isTrue(Option.isSome(parentRank(threadSubject(reply), threadSubject(answered))))
  })

  it.each([
    ["Re: [A] Hello", "[B] Hello"],
    ["Re: [A] Hello", "Re: [B] Hello"],
    ["Re: Hello", "[A] Hello"],
    ["[A] Re: Hello", "[B] Hello"],
    ["Re: [list] Hello", "Hello there"],
    ["Re: [A]", "[B]"]
  ])("does not answer: %s – %s", (reply, answered) => {
    assert.isTrue(Option.isNone(parentRank(threadSubject(reply), threadSubject(answered))))
  })

  it("is automatic behind the mark of a filter", () => {
    assert.isTrue(isAutomaticSubject("***SPAM*** Automatic reply: Your order"))
    assert.isFalse(isAutomaticSubject("***SPAM*** Re: Automatic reply: Your order"))
  })
})
