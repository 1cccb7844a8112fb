import { assert, describe, it } from "@effect/vitest"
import { plainText } from "@switchboard/services/messages/compose/PlainText"

describe("plainText", () => {
  it("renders links and paragraphs as text and omits images", () => {
    assert.strictEqual(
      plainText('<p>Hello&nbsp;<b>Ada</b></p><img src="x"><p><a href="https://x.test">here</a></p>'),
      "Hello\u00a0Ada\n\nhere [https://x.test]"
    )
  })

  // Quadratic work exceeds the time limit of the test.
  it("handles a large number of unclosed elements", () => {
    for (const opened of ["<div>", "<ul><li>", "<table><tr><td>", "<blockquote>", "<p>a</p>", "<div></x>"]) {
      assert.isString(plainText(opened.repeat(1_000_000 / opened.length)), opened)
    }
  })

  it("handles a large number of unmatched closing tags", () => {
    for (const closed of ["</y>", "</p>", "</i>"]) {
      assert.isString(plainText("<x>".repeat(15_000) + closed.repeat(200_000)), closed)
    }
  })

  it("truncates a very long body", () => {
    assert.match(plainText(`<p>First</p>${"<p>a</p>".repeat(200_000)}`), /^First\n\na\n/)
    assert.lengthOf(plainText("a".repeat(1_500_000)).replaceAll("\n", ""), 1_000_000)
  })
})
