import { assert, describe, it } from "@effect/vitest"
import { plainText } from "../../src/messages/PlainText.js"

describe("The text of an HTML body", () => {
  it("is what people read of it", () => {
    assert.strictEqual(
      plainText('<p>Hello&nbsp;<b>Ada</b></p><img src="x"><p><a href="https://x.test">here</a></p>'),
      "Hello\u00a0Ada\n\nhere [https://x.test]"
    )
  })

  it("takes little time, whatever strangers open and never close", () => {
    for (const opened of ["<div>", "<ul><li>", "<table><tr><td>", "<blockquote>", "<p>a</p>", "<div></x>"]) {
      const html = opened.repeat(1_000_000 / opened.length)
      const started = performance.now()
      plainText(html)
      assert.isBelow(performance.now() - started, 1_500, opened)
    }
  })

  it("takes little time, whatever strangers close that is not open", () => {
    for (const closed of ["</y>", "</p>", "</i>"]) {
      const started = performance.now()
      plainText("<x>".repeat(15_000) + closed.repeat(200_000))
      assert.isBelow(performance.now() - started, 1_500, closed)
    }
  })

  it("begins like a body that is longer than anybody reads", () => {
    assert.match(plainText(`<p>First</p>${"<p>a</p>".repeat(200_000)}`), /^First\n\na\n/)
    assert.lengthOf(plainText("a".repeat(1_500_000)).replaceAll("\n", ""), 1_000_000)
  })
})
