import { baseSubject, isReplySubject } from "@switchboard/domain/email/threads/BaseSubject"
import { assert, describe, it } from "vitest"

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

  it("keeps tags that distinguish threads", () => {
    assert.strictEqual(baseSubject("Re: [Order 1815] Your receipt"), "[order 1815] your receipt")
    assert.notStrictEqual(baseSubject("Re: [Order 1815] Your receipt"), baseSubject("[Order 1816] Your receipt"))
    assert.strictEqual(baseSubject("RE: RE: ПРИВЕТ"), baseSubject("привет"))
    assert.strictEqual(baseSubject("Re:"), "")
    assert.isTrue(isReplySubject("Re:"))
  })

  it("is computed in bounded time for long subjects", () => {
    for (const part of ["Re: ", "[", "[a]", "Re[", "Re [1", " ", "re\u3000", "[fwd: "]) {
      const before = performance.now()
      baseSubject(part.repeat(1_000_000))
      isReplySubject(part.repeat(1_000_000))
      assert.isBelow(performance.now() - before, 500)
    }
  })
})
