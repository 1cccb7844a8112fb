import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { fill, filledHtml } from "./Fill.js"

const problemOf = (...given: Parameters<typeof fill>) => Either.getOrThrow(Either.flip(fill(...given)))

describe("A hostile template", () => {
  const injections = [
    "{{7*7}}",
    "{{constructor}}",
    "{{constructor.constructor}}",
    "{{constructor.constructor('return process')().exit()}}",
    "{{#constructor}}{{prototype}}{{/constructor}}",
    "{{__proto__}}",
    "{{__proto__.polluted}}",
    "{{{__proto__.constructor.name}}}",
    "{{toString}}{{valueOf}}{{hasOwnProperty}}",
    "{{name.constructor.name}}{{name.__proto__}}",
    "{{name.length}}{{name.0}}",
    "{{list.map}}{{list.constructor}}{{list.__proto__}}",
    "{{this}}{{self}}{{global}}{{process.env}}{{require}}",
    "{{#each list}}{{this}}{{/each list}}",
    "{{lookup . 'constructor'}}",
    "{{#with name as |x|}}{{x}}{{/with name as |x|}}",
    "{{^__proto__}}{{/__proto__}}",
    "{{#toString}}called{{/toString}}",
    "{{#list.length.constructor}}called{{/list.length.constructor}}",
    "{{[].constructor}}{{''.constructor}}",
    "{{config.items()}}{{request|attr('x')}}"
  ]
  it.each(injections)("evaluates no code and reads no property outside the data: %s", (html) => {
    assert.strictEqual(filledHtml(html, { name: "Ada", list: [1] }), "")
  })

  // biome-ignore lint/suspicious/noTemplateCurlyInString: the test is that this text stays unchanged
  const asText = ["${7*7}", "<%= 7*7 %>", "#{7*7}", "{% for x in y %}", "*{7*7}", "@(7*7)", "{ {name} }"]
  it.each(asText)("renders tags of other template languages as text: %s", (html) => {
    assert.strictEqual(filledHtml(html, { name: "Ada" }), html)
  })

  it("does not evaluate tags in the data", () => {
    const name = "{{secret}}{{=<% %>=}}<%secret%>{{>partial}}"
    assert.strictEqual(filledHtml("{{{name}}}", { name, secret: "s" }), name)
  })

  it("reads the data's own properties, also with names of built-in ones", () => {
    const data = JSON.parse('{"constructor":"c","toString":"t","hasOwnProperty":"h","a":{"valueOf":"v"}}')
    assert.strictEqual(filledHtml("{{constructor}}{{toString}}{{hasOwnProperty}}{{a.valueOf}}", data), "cthv")
  })

  const broken = [
    ["{{", "has a tag that is not closed at line 1, column 1"],
    ["a\nb {{name", "has a tag that is not closed at line 2, column 3"],
    ["{{{name}}", "has a tag that is not closed at line 1, column 1"],
    ["{{! never closed", "has a tag that is not closed at line 1, column 1"],
    ["é\r\n\r\n{{#a}}", 'has a section "a" that is not closed at line 3, column 1'],
    ["{{/a}}", 'closes a section "a" that is not open at line 1, column 1'],
    ["{{#a}}{{#b}}{{/a}}{{/b}}", 'closes "a" in the section "b" at line 1, column 13'],
    ["{{}}", "has a tag without a name at line 1, column 1"],
    ["{{# }}x{{/ }}", "has a tag without a name at line 1, column 1"],
    ["{{>other}}", "has a partial at line 1, column 1"],
    ["x {{ > other }}", "has a partial at line 1, column 3"],
    ["{{=<% %>=}}<%name%>", "changes the delimiters at line 1, column 1"],
    ["{{ =| |= }}", "changes the delimiters at line 1, column 1"],
    [`{{${"a".repeat(300)}}}`, "has a tag longer than 200 characters at line 1, column 1"],
    ["{{#a}}".repeat(33) + "{{/a}}".repeat(33), "has more than 32 nested sections at line 1, column 193"],
    ["{{a}}".repeat(5_001), "has more than 5000 tags at line 1, column 25001"]
  ] as const
  it.each(broken)("is rejected with the position of the error: %s", (html, problem) => {
    assert.strictEqual(problemOf({ html }), JSON.stringify({ html: [problem] }))
  })

  it("is rejected with the errors of each part", () => {
    assert.strictEqual(
      problemOf({ subject: "{{", html: "{{>a}}", text: "{{/a}}" }),
      JSON.stringify({
        subject: ["has a tag that is not closed at line 1, column 1"],
        html: ["has a partial at line 1, column 1"],
        text: ['closes a section "a" that is not open at line 1, column 1']
      })
    )
  })

  // Quadratic work exceeds the time limit of the test.
  it("is parsed in bounded time", () => {
    const much = 250_000
    const blank = " ".repeat(much)
    for (const html of [
      `{{a${blank}`,
      `{{a${blank}b}}`,
      `{{!${blank}}}`,
      `{{!a${blank}b}}`,
      `{{{a}}${blank}`,
      `{{a}}${blank}{{b}}`,
      "{".repeat(much),
      "{{#a}}".repeat(much / 6),
      "\n".repeat(much)
    ]) {
      fill({ html })
    }
  })

  it("renders at most 1 MiB over all parts", () => {
    const half = "x".repeat(512 * 1024)
    const tooMuch = "renders more than 1 MiB with this template, or takes too many steps"
    assert.isTrue(Either.isRight(fill({ html: "{{{a}}}{{{a}}}", text: "" }, { a: half.slice(1) })))
    assert.strictEqual(problemOf({ html: "{{a}}{{a}}", text: "{{a}}" }, { a: half }), tooMuch)
    assert.strictEqual(problemOf({ html: "{{a}}" }, { a: "<".repeat(300_000) }), tooMuch)
    assert.strictEqual(problemOf({ html: "{{a}}" }, { a: "é".repeat(600_000) }), tooMuch)
  })

  it("renders in bounded time for any data", () => {
    const many = Array.from({ length: 100_000 }, () => 1)
    const tooMuch = "renders more than 1 MiB with this template, or takes too many steps"
    const nested = (inner: string) => "{{#a}}".repeat(5) + inner + "{{/a}}".repeat(5)
    assert.strictEqual(problemOf({ html: nested("x") }, { a: many }), tooMuch)
    assert.strictEqual(problemOf({ html: nested("") }, { a: many }), tooMuch)
    assert.strictEqual(problemOf({ html: nested("{{absent.x.y}}") }, { a: many }), tooMuch)
    assert.strictEqual(problemOf({ html: nested("{{^a}}{{/a}}") }, { a: many }), tooMuch)
    const path = Array.from({ length: 90 }, () => "a").join(".")
    const deep = JSON.parse(`${'{"a":'.repeat(60)}1${"}".repeat(60)}`)
    const html = `${"{{#a}}".repeat(30)}${`{{${path}}}`.repeat(1_000)}${"{{/a}}".repeat(30)}`
    assert.strictEqual(problemOf({ html }, deep), tooMuch)
    assert.strictEqual(filledHtml("{{#a}}{{.}}{{/a}}", { a: many }).length, 100_000)
  })
})
