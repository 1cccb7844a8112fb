import { assert, describe, it } from "@effect/vitest"
import { plainText } from "@switchboard/services/messages/compose/PlainText"

describe("plainText", () => {
  it("renders links and paragraphs as text and omits images", () => {
    assert.strictEqual(
      plainText('<p>Hello&nbsp;<b>Ada</b></p><img src="x"><p><a href="https://x.test">here</a></p>'),
      "Hello\u00a0Ada\n\nhere (https://x.test)"
    )
  })

  it.each([
    [
      "<table><tr><th>Item</th><th>Qty</th><th>Price</th></tr><tr><td>Apples</td><td>3</td><td>4.50</td></tr></table>",
      "Item   Qty   Price\nApples   3   4.50"
    ],
    ["<table><tbody>\n<tr>\n <td>\n a </td>\n <td> <b>b</b>c\n</td></tr></tbody></table>", "a   bc"],
    ["<table><tr><td><p class=x>a</p></td><td>\n<div><p>b</p></div></td></tr></table>", "a   b"],
    ["<table><tr><td></td><td>a</td><td>&nbsp;</td><td>b</td><td></td></tr></table>", "a      b"],
    ["<table><tr><td><h1>a</h1>b</td><td>c</td><td>d<br>e</td><td>f</td></tr></table>", "A\n\nb\nc\nd\ne\nf"],
    ["<table><tr><td><table><tr><td>a</td><td>b</td></tr></table></td><td>c</td></tr></table>", "a   b\n\nc"],
    ["<table><caption>a</caption><td>b<td>c</table>", "a\nb\nc"],
    ["<dl><dt>Total<dd>9<dt>Tax<dd>1</dl><address>x</address>y<li>z", "Total\n9\nTax\n1\nx\ny\nz"],
    ["<title>t</title>a<ul><li>b<ul><li>c</ul><li>d</ul><ol><li><p>e</p></ol>", "a\n * b\n   * c\n * d\n\n 1. e"]
  ])("separates the parts of %s", (html, text) => {
    assert.strictEqual(plainText(html), text)
  })

  it.each([
    ['<a href="https://x.test/">https://x.test/</a>', "https://x.test/"],
    ['<a href="mailto:a@x.test">a@x.test</a>', "a@x.test"],
    ['See <a href="https://x.test/">x</a>.', "See x (https://x.test/)."],
    ['<a href="//a">One</a><a href="//b">Two</a>, <a href="#c">Three</a>', "One (//a) Two (//b), Three"],
    ['<table><tr><td><a href="//a"><img></a></td><td><a href="//b">b</a></td></tr></table>', "//a   b (//b)"]
  ])("separates the links of %s", (html, text) => {
    assert.strictEqual(plainText(html), text)
  })

  it.each([
    // The previews of React Email and MJML.
    ['<div style="display:none;opacity:0" data-skip-in-text="true">Soon<div> \u200c\u200b</div></div><p>a</p>', "a"],
    ['<div style="font-size:1px;DISPLAY: none">Soon</div><p>a</p>', "a"],
    ["<p hidden>b</p><p>a</p>", "a"],
    ['<tr><td>a</td><td style="display:none">b</td><td><b hidden>c</b></td><td>d</td></tr>', "a      d"],
    ['<ul hidden><li>a</li></ul><a href="//c">c</a><a hidden href="//d">d</a>', "c (//c)"]
  ])("omits the hidden elements of %s", (html, text) => {
    assert.strictEqual(plainText(html), text)
  })

  // Quadratic work exceeds the time limit of the test.
  it("handles a large number of unclosed elements", () => {
    for (const opened of [
      "<div>",
      "<ul><li>",
      "<table><tr><td>",
      "<tr><td>a",
      "<td>a",
      "<table><tr><td><div>",
      "<blockquote>",
      "<p>a</p>",
      "<div></x>",
      "<a href=b>"
    ]) {
      assert.isString(plainText(opened.repeat(1_000_000 / opened.length)), opened)
    }
    assert.isString(plainText(`<table><tr>${"<td>a</td>".repeat(100_000)}`))
    assert.isString(plainText(`<table><tr>${"<td><b><td>".repeat(100_000)}`))
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
