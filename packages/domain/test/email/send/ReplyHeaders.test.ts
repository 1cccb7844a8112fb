import { replyHeaders } from "@switchboard/domain/email/send/ReplyHeaders"
import { assert, describe, it } from "vitest"

const replyTo = (headers: Readonly<Record<string, string>>) => replyHeaders({ messageId: "<c@x>", headers })

describe("The headers of a reply", () => {
  it("refer to the replied mail after its own references", () => {
    assert.deepEqual(replyTo({ References: "<a@x> <b@x>" }), {
      "In-Reply-To": "<c@x>",
      References: "<a@x> <b@x> <c@x>"
    })
  })

  it("refer only to the replied mail if that has no references", () => {
    assert.deepEqual(replyTo({ "X-One": "<a@x>" }), { "In-Reply-To": "<c@x>", References: "<c@x>" })
  })

  it("use In-Reply-To of the replied mail if it has no References", () => {
    assert.strictEqual(replyTo({ "in-reply-to": "<b@x>" }).References, "<b@x> <c@x>")
  })

  it("omit a replied mail without a Message-ID but keep its references", () => {
    assert.deepEqual(replyHeaders({ messageId: "", headers: { References: "<a@x> <b@x>" } }), {
      References: "<a@x> <b@x>"
    })
    assert.deepEqual(replyHeaders({ messageId: "", headers: {} }), {})
  })

  it("omit ids that exceed a header line or are not ASCII", () => {
    const references = `<a@x> <${"b".repeat(1000)}@x> <ü@x>`
    assert.strictEqual(replyTo({ References: references }).References, "<a@x> <c@x>")
    assert.deepEqual(replyHeaders({ messageId: `<${"c".repeat(1000)}@x>`, headers: { References: "<a@x>" } }), {
      References: "<a@x>"
    })
  })

  it("contain only valid ids, at most 50 of them", () => {
    assert.strictEqual(replyTo({ References: "<a@x>\r\nBcc: b@b.test, <b@x>" }).References, "<a@x> <b@x> <c@x>")
    const long = Array.from({ length: 200 }, (_, n) => `<${n}@x>`).join(" ")
    const ids = replyTo({ References: long }).References?.split(" ") ?? []
    assert.deepEqual([ids.length, ids[0], ids[1], ids.at(-1)], [50, "<0@x>", "<152@x>", "<c@x>"])
  })
})
