import { replyHeaders } from "@switchboard/domain/email/send/ReplyHeaders"
import { assert, describe, it } from "vitest"

const answerTo = (headers: Readonly<Record<string, string>>) => replyHeaders({ messageId: "<c@x>", headers })

describe("a reply's headers", () => {
  it("name the mail it answers, after all that it refers to", () => {
    assert.deepEqual(answerTo({ References: "<a@x> <b@x>" }), {
      "In-Reply-To": "<c@x>",
      References: "<a@x> <b@x> <c@x>"
    })
  })

  it("begin with the mail it answers, where that answers none", () => {
    assert.deepEqual(answerTo({ "X-One": "<a@x>" }), { "In-Reply-To": "<c@x>", References: "<c@x>" })
  })

  it("take what a mail answers for what it refers to, where it names nothing else", () => {
    assert.strictEqual(answerTo({ "in-reply-to": "<b@x>" }).References, "<b@x> <c@x>")
  })

  it("name no mail that has no id, but what it refers to", () => {
    assert.deepEqual(replyHeaders({ messageId: "", headers: { References: "<a@x> <b@x>" } }), {
      References: "<a@x> <b@x>"
    })
    assert.deepEqual(replyHeaders({ messageId: "", headers: {} }), {})
  })

  it("leave out ids that no header can have", () => {
    const references = `<a@x> <${"b".repeat(1000)}@x> <ü@x>`
    assert.strictEqual(answerTo({ References: references }).References, "<a@x> <c@x>")
    assert.deepEqual(replyHeaders({ messageId: `<${"c".repeat(1000)}@x>`, headers: { References: "<a@x>" } }), {
      References: "<a@x>"
    })
  })

  it("keep nothing but ids, whatever came in, and do not grow for ever", () => {
    assert.strictEqual(answerTo({ References: "<a@x>\r\nBcc: b@b.test, <b@x>" }).References, "<a@x> <b@x> <c@x>")
    const long = Array.from({ length: 200 }, (_, n) => `<${n}@x>`).join(" ")
    const ids = answerTo({ References: long }).References?.split(" ") ?? []
    assert.deepEqual([ids.length, ids[0], ids[1], ids.at(-1)], [50, "<0@x>", "<152@x>", "<c@x>"])
  })
})
