import { assert, layer } from "@effect/vitest"
import { templateExamples } from "@switchboard/api/email/templates/TemplateExamples"
import { Effect } from "effect"
import { call, LiveApi } from "../../LiveApi.js"

const newResource = (body: Readonly<Record<string, unknown>>) =>
  Effect.map(
    call("POST", "/v1/email/templates", { body: { subject: "s", html: "<p>{{name}}</p>", ...body } }),
    (response) => {
      assert.strictEqual(response.status, 201, response.text)
      return response.body
    }
  )

layer(LiveApi.layer, { excludeTestServices: true })("Templates", (it) => {
  it.effect("match the examples of the document", () =>
    Effect.gen(function* () {
      const { "templates.create": create, "templates.render": render, "templates.update": update } = templateExamples
      const { createdAt, id, updatedAt, ...created } = yield* newResource({ ...create.request })
      const { createdAt: _, id: __, organizationId, updatedAt: ___, ...example } = create.response
      assert.deepStrictEqual(created, { ...example, organizationId })
      assert.deepStrictEqual([createdAt, id.length], [updatedAt, 36])
      const rendered = yield* call("POST", `/v1/email/templates/${id}/render`, { body: render.request })
      assert.deepStrictEqual(rendered.body, render.response)
      const found = yield* call("GET", `/v1/email/templates/${id}`)
      assert.deepStrictEqual(found.body, { ...created, createdAt, id, updatedAt })
      const changed = yield* call("PATCH", `/v1/email/templates/${id}`, { body: update.request })
      assert.deepInclude(changed.body, { version: 2, subject: update.request.subject, html: example.html })
      const removed = yield* call("DELETE", `/v1/email/templates/${id}`)
      assert.deepStrictEqual([removed.status, removed.body], [200, { success: true }])
      for (const [method, path] of [
        ["GET", ""],
        ["PATCH", ""],
        ["DELETE", ""],
        ["POST", "/render"],
        ["GET", "/html"]
      ] as const) {
        const gone = yield* call(method, `/v1/email/templates/${id}${path}`)
        assert.deepStrictEqual(
          [gone.status, gone.body],
          [404, { _tag: "ResourceNotFoundError", resource: "template", id }]
        )
      }
    })
  )

  it.effect("show their HTML with data as a sandboxed page", () =>
    Effect.gen(function* () {
      const { id } = yield* newResource({ name: "Framed", html: "<p>{{name}}</p>{{{name}}}" })
      const page = (query: string) => call("GET", `/v1/email/templates/${id}/html${query}`)
      const data = encodeURIComponent(JSON.stringify({ name: "<b>Ada</b>" }))
      const shown = yield* page(`?data=${data}`)
      assert.strictEqual(shown.text, '<base target="_blank"><p>&lt;b&gt;Ada&lt;&#x2F;b&gt;</p><b>Ada</b>')
      assert.strictEqual(shown.headers.get("content-type"), "text/html; charset=utf-8")
      assert.match(shown.headers.get("content-security-policy") ?? "", /^sandbox; default-src 'none';/)
      assert.strictEqual((yield* page("")).text, '<base target="_blank"><p></p>')
      for (const wrong of ["?data=1", "?data={", "?data=[]", "?date={}"]) {
        const refused = yield* page(wrong)
        assert.deepStrictEqual([refused.status, refused.body._tag], [400, "BadRequestError"], wrong)
      }
    })
  )

  it.effect("link to the next page, with the filters of the request", () =>
    Effect.gen(function* () {
      for (const name of ["Page one", "Page two", "Page three"]) yield* newResource({ name })
      const filters = encodeURIComponent(JSON.stringify({ search: "page" }))
      const first = yield* call("GET", `/v1/email/templates?filters=${filters}&page=1&limit=2`)
      const [, target = ""] =
        /^<(\/v1\/email\/templates\?[^>]+)>; rel="next"$/.exec(first.headers.get("link") ?? "") ?? []
      const query = new URLSearchParams(target.split("?")[1])
      assert.deepStrictEqual([...query.keys()], ["filters", "limit", "after"])
      const second = yield* call("GET", target)
      assert.deepStrictEqual(
        [...first.body.items, ...second.body.items].map(({ name }) => name),
        ["Page three", "Page two", "Page one"]
      )
      assert.deepStrictEqual(second.body.pagination, { page: 2, limit: 2, total: 3, totalPages: 2 })
      assert.deepStrictEqual([second.headers.get("link"), second.headers.get("total-estimated")], [null, null])
      const refused = yield* call("GET", "/v1/email/templates?after=x")
      assert.deepStrictEqual([refused.status, refused.body._tag], [400, "BadRequestError"])
      assert.include(refused.body.message, "The parameter after must be the `after` of a Link header")
    })
  )

  it.effect("have a unique name and an optional text", () =>
    Effect.gen(function* () {
      const { id, ...first } = yield* newResource({ name: "Taken", text: "t" })
      assert.strictEqual(first.text, "t")
      const second = yield* call("POST", "/v1/email/templates", { body: { name: "Taken", subject: "s", html: "h" } })
      assert.deepStrictEqual(
        [second.status, second.body],
        [409, { _tag: "ConflictError", message: "The name Taken is taken", resource: "template" }]
      )
      const { body } = yield* call("PATCH", `/v1/email/templates/${id}`, { body: { text: null } })
      assert.notProperty(body, "text")
      const without = yield* call("PATCH", `/v1/email/templates/${id}`)
      assert.strictEqual(without.body.version, 2)
    })
  )

  const refused = [
    [{}, { name: "is required", subject: "is required", html: "is required" }],
    [
      { name: "", subject: "a\nb", html: "", text: 1 },
      {
        name: "must have 1 to 200 characters",
        subject: "must not contain line breaks",
        html: "must have 1 to 262144 characters",
        text: "must be text"
      }
    ],
    [{ name: "n", subject: "x".repeat(999), html: "h" }, { subject: "must have 1 to 998 characters" }],
    [{ name: "n", subject: "s", html: "h", version: 2 }, { version: "is not a known field" }],
    [
      { name: "n", subject: "{{", html: "a\n{{>p}}", text: "{{#a}}" },
      {
        subject: "has a tag that is not closed at line 1, column 1",
        html: "has a partial at line 2, column 1",
        text: 'has a section "a" that is not closed at line 1, column 1'
      }
    ],
    [
      { name: "n", subject: "é".repeat(900), html: "x".repeat(262_144 - 1_799) },
      { html: "must be at most 256 KiB together with subject, text and fallbacks" }
    ],
    [
      {
        name: "n",
        subject: "s",
        html: "{{#a}}{{b}}{{/a}}",
        variables: [
          { name: "b", fallback: "" },
          { name: "a", fallback: "" },
          { name: "c", fallback: "" }
        ]
      },
      {
        "variables.1.name": "is not used by the template",
        "variables.2.name": "is not used by the template"
      }
    ],
    [
      {
        name: "n",
        subject: "{{a}}",
        html: "h",
        variables: [{ name: "a", fallback: "2", required: true }]
      },
      { "variables.0.required": "is not a known field" }
    ],
    [
      {
        name: "n",
        subject: "{{a}}",
        html: "h",
        variables: [
          { name: "a", fallback: "1" },
          { name: "a", fallback: "2" }
        ]
      },
      { "variables.1.name": "must not be named twice" }
    ]
  ] as const
  it.effect.each(refused)("reject %j", ([body, fields]) =>
    Effect.gen(function* () {
      const response = yield* call("POST", "/v1/email/templates", { body })
      assert.deepStrictEqual(
        [response.status, response.body.fields],
        [422, Object.fromEntries(Object.entries(fields).map(([field, sentence]) => [field, [sentence]]))]
      )
    })
  )

  it.effect("are limited to 256 KiB, also by an update", () =>
    Effect.gen(function* () {
      const { id } = yield* newResource({ name: "Large", subject: "é", html: "x".repeat(262_144 - 2) })
      const patch = (body: unknown) => call("PATCH", `/v1/email/templates/${id}`, { body })
      assert.strictEqual((yield* patch({ text: "x" })).status, 422)
      assert.strictEqual((yield* patch({ subject: "xy" })).status, 200)
      assert.strictEqual((yield* patch({ html: "{{#a}}" })).body.fields.html.length, 1)
      assert.strictEqual((yield* patch({ name: "x".repeat(1_100_000) })).status, 413)
    })
  )

  it.effect("list missing variables and render the rest", () =>
    Effect.gen(function* () {
      const { id } = yield* newResource({
        name: "Missing",
        subject: "{{a}}",
        html: "{{b.c}}{{constructor}}",
        text: "{{{d}}}"
      })
      const render = (body?: unknown) =>
        call("POST", `/v1/email/templates/${id}/render`, body === undefined ? {} : { body })
      assert.deepStrictEqual((yield* render()).body, {
        subject: "",
        html: "",
        text: "",
        missing: ["a", "b.c", "constructor", "d"]
      })
      const full = { a: "x\r\nBcc: y", b: { c: "<" }, constructor: 1, d: "<" }
      assert.deepStrictEqual((yield* render({ data: full })).body, {
        subject: "x Bcc: y",
        html: "&lt;1",
        text: "<",
        missing: []
      })
      const wrong = [
        [{ data: { ...full, b: { c: "<".repeat(300_000) } } }, "data", "renders more than 1 MiB with"],
        [{ data: { ...full, a: "y".repeat(999) } }, "data", "renders a subject longer than 998 characters"],
        [{ data: { ...full, a: " " } }, "data", "renders an empty subject"],
        [{ data: [] }, "data", "must be an object"],
        [{ data: {}, name: "x" }, "name", "is not a known field"],
        ['{"data":{"__proto__":{"a":"b"}}}', "data.__proto__", "is not a known field"]
      ] as const
      for (const [body, field, sentence] of wrong) {
        const response = yield* render(body)
        assert.strictEqual(response.status, 422, sentence)
        assert.deepStrictEqual(Object.keys(response.body.fields), [field])
        assert.include(response.body.fields[field][0], sentence)
      }
    })
  )

  it.effect("are listed in pages, by search only", () =>
    Effect.gen(function* () {
      const { id } = yield* newResource({ name: "Findable" })
      const filtered = (filters: string) => call("GET", `/v1/email/templates?filters=${encodeURIComponent(filters)}`)
      const { body } = yield* filtered('{"search":"Findable"}')
      assert.deepStrictEqual([body.items.map((one: { id: string }) => one.id), body.pagination.total], [[id], 1])
      assert.strictEqual((yield* filtered('{"name":"x"}')).status, 400)
      assert.strictEqual((yield* call("GET", "/v1/email/templates?limit=101")).status, 400)
      assert.strictEqual((yield* call("GET", "/v1/email/templates/no-id")).status, 400)
    })
  )
})
