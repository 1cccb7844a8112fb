import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { LiveService, relayed, settled } from "../../LiveService.js"

const byTemplate = (templateId: string, email: Readonly<Record<string, unknown>> = {}) => ({
  channel: "email",
  to: [{ email: "ada@example.com" }],
  email: { templateId, ...email }
})

const made = (parts: Readonly<Record<string, unknown>> = {}) =>
  Effect.flatMap(LiveService, ({ call }) =>
    Effect.map(
      call("POST", "/v1/email/templates", {
        name: `Template ${randomUUID()}`,
        subject: "Hello {{name}}",
        html: "<p>Dear {{name}}, {{order.id}}</p>",
        ...parts
      }),
      ({ body, status }): { readonly id: string } => {
        assert.strictEqual(status, 201, JSON.stringify(body))
        return body
      }
    )
  )

const data = () => ({ name: "<Ada>", order: { id: randomUUID() } })

layer(LiveService.Shared, { excludeTestServices: true })("A send with a template", (it) => {
  it.effect("renders the template, escapes only HTML, and stores the version", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const { id } = yield* made()
      const templateData = data()
      const sent = yield* call("POST", "/v1/messages", byTemplate(id.toUpperCase(), { templateData }))
      assert.strictEqual(sent.status, 201, JSON.stringify(sent.body))
      assert.deepInclude(sent.body.content, {
        subject: "Hello <Ada>",
        html: `<p>Dear &lt;Ada&gt;, ${templateData.order.id}</p>`,
        text: `Dear <Ada>, ${templateData.order.id}`,
        templateId: id,
        templateVersion: 1
      })
      const { content, emailMetadata } = yield* settled(sent.body.id, "delivered")
      assert.deepStrictEqual(content, sent.body.content)
      const { parsed } = yield* relayed(({ parsed }) => parsed.messageId === emailMetadata.messageId)
      assert.deepInclude(parsed, { subject: "Hello <Ada>" })
      assert.include(parsed.html, "Dear &lt;Ada&gt;")

      yield* call("PATCH", `/v1/email/templates/${id}`, { subject: "Bye {{name}}", text: "T {{{name}}}" })
      const second = yield* call("POST", "/v1/messages", byTemplate(id, { templateData: data() }))
      assert.deepInclude(second.body.content, { subject: "Bye <Ada>", text: "T <Ada>", templateVersion: 2 })
      assert.deepStrictEqual((yield* call("GET", `/v1/messages/${sent.body.id}`)).body.content, sent.body.content)
    })
  )

  it.effect("prefers inline parts, and needs no data for replaced parts", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const { id } = yield* made({ text: "text {{other}}" })
      const content = (email: Readonly<Record<string, unknown>>) =>
        Effect.map(call("POST", "/v1/messages", byTemplate(id, email)), ({ body }) => body.content ?? body.fields)
      const subject = `Inline ${randomUUID()}`
      assert.deepInclude(yield* content({ subject, templateData: { ...data(), other: "<x>" } }), {
        subject,
        text: "text <x>",
        templateVersion: 1
      })
      // The text part is generated from the inline HTML.
      const html = `<p>{{own}} ${subject}</p>`
      assert.deepInclude(yield* content({ html, templateData: { name: "Ada" } }), {
        subject: "Hello Ada",
        html,
        text: `{{own}} ${subject}`
      })
      assert.deepInclude(yield* content({ text: subject, templateData: data() }), {
        subject: "Hello <Ada>",
        text: subject
      })
    })
  )

  it.effect("refuses missing data by field, and unknown templates", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const { id } = yield* made({ text: "{{__proto__}}{{note}}", variables: [{ name: "note", fallback: "" }] })
      const lacking = yield* call("POST", "/v1/messages", byTemplate(id, { templateData: { order: {}, name: null } }))
      assert.deepStrictEqual([lacking.status, lacking.body._tag], [422, "ValidationError"])
      const sentence = ["is required by the template: text, a number, true or false"]
      assert.deepStrictEqual(Object.entries(lacking.body.fields), [
        ["templateData.name", sentence],
        ["templateData.order.id", sentence],
        ["templateData.__proto__", sentence]
      ])
      for (const unknown of [randomUUID(), "welcome"]) {
        const response = yield* call("POST", "/v1/messages", byTemplate(unknown))
        assert.deepStrictEqual(
          [response.status, response.body],
          [404, { _tag: "ResourceNotFoundError", resource: "template", id: unknown }]
        )
      }
      const large = yield* made({ subject: "s", html: "{{a}}{{a}}{{a}}" })
      const templateData = { a: "x".repeat(400_000) }
      const tooMuch = yield* call("POST", "/v1/messages", byTemplate(large.id, { templateData }))
      assert.deepStrictEqual([tooMuch.status, Object.keys(tooMuch.body.fields)], [422, ["templateData"]])
    })
  )

  it.effect("does not allow data to inject headers", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const { id } = yield* made()
      const name = "Ada\r\nBcc: eve@example.com\r\n\r\nbody"
      const { body } = yield* call("POST", "/v1/messages", byTemplate(id, { templateData: { ...data(), name } }))
      assert.strictEqual(body.content.subject, "Hello Ada Bcc: eve@example.com body")
    })
  )

  it.effect("is deduplicated by template and data, after changes of the template", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const { id } = yield* made()
      const request = { ...byTemplate(id, { templateData: data() }), idempotencyKey: randomUUID() }
      const unkeyed = byTemplate(id, { templateData: data() })
      const first = yield* call("POST", "/v1/messages", request)
      const second = yield* call("POST", "/v1/messages", unkeyed)
      const other = yield* call("POST", "/v1/messages", byTemplate(id, { templateData: data() }))
      assert.strictEqual(new Set([first, second, other].map(({ body }) => body.id)).size, 3)
      const replays = Effect.gen(function* () {
        for (const [again, original] of [
          [request, first],
          [unkeyed, second]
        ] as const) {
          const { body, headers, status } = yield* call("POST", "/v1/messages", again)
          assert.deepStrictEqual(
            [status, headers.get("idempotent-replayed"), body.id, body.content],
            [201, "true", original.body.id, original.body.content]
          )
        }
      })
      yield* call("PATCH", `/v1/email/templates/${id}`, { subject: "Changed {{name}}" })
      yield* replays
      yield* call("PATCH", `/v1/email/templates/${id}`, { subject: "{{more}}" })
      yield* replays
      yield* call("DELETE", `/v1/email/templates/${id}`)
      yield* replays
      const fresh = yield* call("POST", "/v1/messages", byTemplate(id, { templateData: data() }))
      assert.strictEqual(fresh.status, 404)
    })
  )
})
