import { assert, describe, it } from "@effect/vitest"
import { plainText } from "@switchboard/services/messages/compose/PlainText"

describe("The text of an HTML body", () => {
  it("is what people read of it", () => {
    assert.strictEqual(
      plainText('<p>Hello&nbsp;<b>Ada</b></p><img src="x"><p><a href="https://x.test">here</a></p>'),
      "Hello\u00a0Ada\n\nhere [https://x.test]"
    )
  })

  // Work that grows with the square of the size ends at the time limit of the test.
  it("is read where elements are never closed", () => {
    for (const opened of ["<div>", "<ul><li>", "<table><tr><td>", "<blockquote>", "<p>a</p>", "<div></x>"]) {
      assert.isString(plainText(opened.repeat(1_000_000 / opened.length)), opened)
    }
  })

  it("is read where elements are closed that are not open", () => {
    for (const closed of ["</y>", "</p>", "</i>"]) {
      assert.isString(plainText("<x>".repeat(15_000) + closed.repeat(200_000)), closed)
    }
  })

  it("begins like a body that is longer than anybody reads", () => {
    assert.match(plainText(`<p>First</p>${"<p>a</p>".repeat(200_000)}`), /^First\n\na\n/)
    assert.lengthOf(plainText("a".repeat(1_500_000)).replaceAll("\n", ""), 1_000_000)
  })
})
