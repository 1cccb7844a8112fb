import { assert, layer } from "@effect/vitest"
import { templateExamples } from "@switchboard/api/openapi/examples/MailExamples"
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
    })
  )

  it.effect("of texts have no subject and no HTML", () =>
    Effect.gen(function* () {
      const text = { name: "Text", channel: "sms", text: "Hello {{name}}" }
      const create = (body: object) => call("POST", "/v1/email/templates", { body: { ...text, ...body } })
      for (const [body, fields] of [
        [{ subject: "s", html: "h" }, ["subject", "html"]],
        [{ text: "" }, ["text"]],
        [{ channel: "email" }, ["subject", "html"]],
        [{ channel: "voice" }, ["channel"]]
      ] as const) {
        const refused = yield* create(body)
        assert.strictEqual(refused.status, 422)
        assert.hasAllKeys(refused.body.fields, [...fields], refused.text)
      }
      const { body, status } = yield* create({})
      assert.strictEqual(status, 201)
      assert.deepInclude(body, text)
      assert.doesNotHaveAnyKeys(body, ["subject", "html"])
      assert.strictEqual((yield* call("GET", `/v1/email/templates/${body.id}/html`)).status, 422)
      const filters = encodeURIComponent(JSON.stringify({ channel: "sms" }))
      const listed = yield* call("GET", `/v1/email/templates?filters=${filters}`)
      assert.deepStrictEqual(listed.body.items, [body])
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
      const [, link = ""] = /^<(\?[^>]+)>; rel="next"$/.exec(first.headers.get("link") ?? "") ?? []
      const target = `/v1/email/templates${link}`
      const query = new URLSearchParams(link)
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

  it.effect("are limited to 256 KiB, also by an update", () =>
    Effect.gen(function* () {
      const { id } = yield* newResource({ name: "Large", subject: "é", html: "x".repeat(262_144 - 2) })
      const patch = (body: unknown) => call("PATCH", `/v1/email/templates/${id}`, { body })
      assert.strictEqual((yield* patch({ text: "x" })).status, 422)
      assert.strictEqual((yield* patch({ subject: "xy" })).status, 200)
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
      // Parsed text has a member __proto__, which a literal would not have.
      for (const [body, field] of [
        [{ data: { ...full, a: " " } }, "data"],
        [{ data: [] }, "data"],
        ['{"data":{"__proto__":{"a":"b"}}}', "data.__proto__"]
      ] as const) {
        const response = yield* render(body)
        assert.deepStrictEqual([response.status, Object.keys(response.body.fields)], [422, [field]])
      }
    })
  )
})
