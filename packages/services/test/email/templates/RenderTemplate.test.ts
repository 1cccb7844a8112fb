import { assert, describe, it } from "@effect/vitest"
import { checkTemplate } from "@switchboard/services/email/templates/Templates"
import { Either, FastCheck } from "effect"
import Mustache from "mustache"
import { fill, filledHtml } from "./Fill.js"

const render = (...given: Parameters<typeof fill>) =>
  Either.getOrThrowWith(fill(...given), (problem) => new Error(problem))

/** Mustache.js, except that lists and objects render as an empty text, as this project defines. */
class ReferenceWriter extends Mustache.Writer {
  override unescapedValue(token: string[], context: Mustache.Context) {
    const value: unknown = context.lookup(token[1] ?? "")
    return typeof value === "object" ? "" : `${value ?? ""}`
  }
}

const escape = (value: unknown) =>
  typeof value === "object" ? "" : typeof value === "number" ? `${value}` : Mustache.escape(value)

describe("renderTemplate", () => {
  it("escapes values in HTML only, and not those of triple braces or &", () => {
    const part = "{{name}} {{{name}}} {{&name}}"
    const { html, subject, text } = render({ subject: part, html: part, text: part }, { name: "<Ada> & 'Bob'" })
    assert.strictEqual(html, "&lt;Ada&gt; &amp; &#39;Bob&#39; <Ada> & 'Bob' <Ada> & 'Bob'")
    const plain = "<Ada> & 'Bob' <Ada> & 'Bob' <Ada> & 'Bob'"
    assert.deepStrictEqual([subject, text], [plain, plain])
  })

  it("derives the text from the HTML if the template has none", () => {
    const { text } = render({ html: "<p>Hello <b>{{name}}</b></p>", text: undefined }, { name: "<Ada>" })
    assert.strictEqual(text, "Hello <Ada>")
    assert.strictEqual(render({ html: "<p>Hello</p>", text: "" }).text, "")
  })

  it("supports sections, inverted sections, paths and comments", () => {
    const order = { items: [{ name: "a" }, { name: "b" }], note: null, done: true, buyer: { name: "Ada" } }
    assert.strictEqual(filledHtml("{{#items}}{{name}} of {{buyer.name}};{{/items}}", order), "a of Ada;b of Ada;")
    assert.strictEqual(filledHtml("{{#buyer}}{{name}}{{/buyer}}{{^buyer}}no{{/buyer}}", order), "Ada")
    assert.strictEqual(filledHtml("{{#done}}yes{{/done}}{{^done}}no{{/done}}", order), "yes")
    assert.strictEqual(filledHtml("{{#none}}yes{{/none}}{{^none}}no{{/none}}", { none: [] }), "no")
    assert.strictEqual(filledHtml("{{^absent}}no{{/absent}}", {}), "no")
    assert.strictEqual(filledHtml("{{#list}}{{.}},{{/list}}", { list: [1, "b", false] }), "1,b,false,")
    assert.strictEqual(filledHtml("{{items.1.name}}", order), "b")
    assert.strictEqual(filledHtml("a{{! {{ not a tag: a long \n\n   comment }}b"), "ab")
    assert.strictEqual(filledHtml("a\n  {{#done}}\nb\n  {{/done}}\nc", order), "a\nb\nc")
  })

  it("renders 0 and false, and renders absent values, lists and objects as an empty text", () => {
    assert.strictEqual(filledHtml("{{a}}{{b}}", { a: 0, b: false }), "0false")
    const { html, missing } = render({ html: "[{{a}}{{b}}{{c}}{{d}}]" }, { a: null, b: { toString: 1 }, c: ["x"] })
    assert.strictEqual(html, "[]")
    assert.deepStrictEqual(missing, ["a", "b", "c", "d"])
  })

  it("reports variables outside sections without value and fallback, once each", () => {
    const html = "{{a}}{{a}}{{b.c}}{{#list}}{{inner}}{{.}}{{/list}}{{^no}}{{other}}{{/no}}{{d}}"
    const { missing } = render({ subject: "{{s}}", html, text: "{{t}}" }, { b: {} }, { d: "D" })
    assert.deepStrictEqual(missing, ["s", "a", "b.c", "t"])
    assert.strictEqual(filledHtml("{{d}}{{#list}}{{e}}{{/list}}", { list: [1, 2] }, { d: "<", e: "E" }), "&lt;EE")
    assert.strictEqual(filledHtml("{{d}}", { d: "" }, { d: "D" }), "")
    assert.strictEqual(filledHtml("{{d}}", { d: null }, { d: "D" }), "D")
  })

  const subjects = [
    ["Hi\r\nBcc: eve@example.com", "Hi Bcc: eve@example.com"],
    ["a\nb\rc\u0085d\u2028e\u2029f\u000bg\tg\u0000h", "a b c d e f g g h"],
    [" Ada ", "Ada"]
  ] as const
  it.each(subjects)("renders the subject as one line for any data: %j", (name, subject) => {
    assert.strictEqual(render({ subject: "{{name}}" }, { name }).subject, subject)
  })

  it("requires a subject of 1 to 998 characters", () => {
    const of = (name: string) => fill({ subject: "{{name}}" }, { name })
    assert.strictEqual(Either.getOrThrow(of("x".repeat(998))).subject.length, 998)
    assert.deepStrictEqual(
      [of("x".repeat(999)), of(" \n ")].map((problem) => Either.flip(problem).pipe(Either.getOrThrow)),
      ["renders a subject longer than 998 characters with this template", "renders an empty subject with this template"]
    )
  })

  it("renders the same as Mustache.js", () => {
    const name = FastCheck.constantFrom("a", "b", "c", "a.b", "b.c.a", ".")
    const piece = FastCheck.letrec<{ readonly piece: string }>((tie) => ({
      piece: FastCheck.oneof(
        { depthSize: "small" },
        FastCheck.constantFrom("x", " ", "\n", "  \n", "<p>", "é", "{", "}", "{{!c}}", "{{! c\n c }}"),
        FastCheck.tuple(FastCheck.constantFrom("{{", "{{ ", "{{&", "{{& "), name).map(
          ([open, of]) => `${open}${of} }}`
        ),
        name.map((of) => `{{{${of}}}}`),
        FastCheck.tuple(FastCheck.constantFrom("#", "^"), name, FastCheck.array(tie("piece"), { maxLength: 4 })).map(
          ([kind, of, inner]) => `{{${kind}${of}}}${inner.join("")}{{/ ${of} }}`
        )
      )
    })).piece
    const leaf = FastCheck.oneof(FastCheck.constantFrom("<b>", "", "v", 0, 1.5, true, false, null))
    const value = FastCheck.letrec<{ readonly value: unknown }>((tie) => ({
      value: FastCheck.oneof(
        { depthSize: "small" },
        leaf,
        FastCheck.array(tie("value"), { maxLength: 3 }),
        FastCheck.dictionary(FastCheck.constantFrom("a", "b", "c"), tie("value"), { maxKeys: 3 })
      )
    })).value
    const data = FastCheck.dictionary(FastCheck.constantFrom("a", "b", "c"), value)
    const compared = { html: 0 }
    FastCheck.assert(
      FastCheck.property(FastCheck.array(piece, { maxLength: 12 }), data, (pieces, given) => {
        const html = pieces.join("")
        const expected = Either.try(() => new ReferenceWriter().render(html, given, undefined, { escape }))
        // Mustache.js throws for null in a list.
        if (Either.isLeft(expected)) return
        const filled = fill({ html }, given)
        // Braces beside a tag can extend it beyond the length that renderTemplate allows, or make one without a name.
        if (Either.isLeft(filled) && /has a tag (longer than 200 characters|without a name)/.test(filled.left)) return
        compared.html += 1
        assert.strictEqual(Either.getOrThrowWith(filled, (problem) => new Error(problem)).html, expected.right)
      }),
      { numRuns: 3_000 }
    )
    assert.isAbove(compared.html, 1_000)
  })
})

describe("A template of Handlebars or Mustachio", () => {
  const check = (html: string, subject = "s") =>
    checkTemplate({ channel: "email", subject, html }, undefined, new Map())

  const foreign = [
    ["{{#paid}}a{{else}}b{{/paid}}", "else", 11],
    ["{{#items}}{{ this.title }}{{/items}}", "this.title", 11],
    ["{{#items}}{{this}}{{/items}}", "this", 11],
    ["{{#items}}{{../name}}{{/items}}", "../name", 11],
    ["{{#items}}{{{@root.name}}}{{/items}}", "@root.name", 11],
    ["{{! it's }}{{{ @content }}}", "@content", 12],
    ['{{#items}}{{formatDate day "MM/DD"}}{{/items}}', 'formatDate day "MM/DD"', 11],
    ["{{#../items}}x{{/../items}}", "../items", 1]
  ] as const
  it.each(foreign)("is refused with the place of the tag: %s", (html, name, column) => {
    assert.deepStrictEqual(Either.getOrThrow(Either.flip(check(html, "{{this}}"))).fields, {
      subject: ['has "this", which Mustache takes for a variable, at line 1, column 1'],
      html: [`has "${name}", which Mustache takes for a variable, at line 1, column ${column}`]
    })
  })

  it.each(["{{thisYear}} {{elsewhere}} {{first name}} {{.}}", "{{! it's (else) }}this, else", "{{a.this}}{{a.else}}"])(
    "is not meant by %s",
    (html) => {
      assert.isTrue(Either.isRight(check(html)))
    }
  )
})
