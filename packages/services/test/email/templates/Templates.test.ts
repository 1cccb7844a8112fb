import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import type { CreateTemplate, RenderTemplate, TemplateId } from "@switchboard/domain/email/templates/Template"
import { Templates } from "@switchboard/services/email/templates/Templates"
import { makeOrganization } from "@switchboard/store/testing/messages/Fixtures"
import { StoreLive } from "@switchboard/store/testing/StoreLive"
import { Effect, Layer } from "effect"
import { oneSucceeds } from "../../OneSucceeds.js"

const Live = Layer.provideMerge(Templates.Default, StoreLive)

const welcome: CreateTemplate = { name: "Welcome", subject: "Hi {{name}}", html: "<p>{{name}}</p>", text: "{{name}}" }

const versionsOf = (id: TemplateId) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<Record<string, unknown>>`SELECT version, subject, html, text, variables
      FROM email_template_versions WHERE template_id = ${id} ORDER BY version`
  )

const firstPage = { page: 1, limit: 20 }

layer(Live, { excludeTestServices: true })("Templates on PostgreSQL", (it) => {
  it.effect("stores and returns a template with its variables", () =>
    Effect.gen(function* () {
      const templates = yield* Templates
      const own = yield* makeOrganization()
      const created = yield* templates.create(own, { ...welcome, variables: [{ name: "name", fallback: "du" }] })
      assert.deepStrictEqual(created.variables, [{ name: "name", required: false, fallback: "du" }])
      assert.deepStrictEqual({ ...(yield* templates.get(own, created.id)) }, { ...created })
      const plain = yield* templates.create(own, { name: "Plain", subject: "s", html: "h" })
      assert.notProperty({ ...(yield* templates.get(own, plain.id)) }, "text")
      assert.deepStrictEqual(plain.variables, [])
    })
  )

  it.effect("keeps every version, also after the template is removed", () =>
    Effect.gen(function* () {
      const templates = yield* Templates
      const own = yield* makeOrganization()
      const { id, updatedAt } = yield* templates.create(own, welcome)
      const same = yield* templates.update(own, id, { html: welcome.html, text: "{{name}}", variables: [] })
      assert.deepStrictEqual([same.version, same.updatedAt], [1, updatedAt])
      const second = yield* templates.update(own, id, {
        subject: "Hello",
        text: null,
        variables: [{ name: "name", fallback: "x" }]
      })
      assert.strictEqual(second.version, 2)
      assert.deepStrictEqual({ ...(yield* templates.get(own, id)), text: undefined }, { ...second })
      // A variable that is still used keeps its fallback, an unused one loses it.
      const third = yield* templates.update(own, id, { html: "{{name}} {{other}}" })
      assert.deepStrictEqual(third.variables, [
        { name: "name", required: false, fallback: "x" },
        { name: "other", required: true }
      ])
      yield* templates.update(own, id, { html: "{{other}}" })
      const fifth = yield* templates.update(own, id, { html: "{{name}}" })
      assert.deepStrictEqual(fifth.variables, [{ name: "name", required: true }])
      yield* templates.update(own, id, { name: "Renamed" })
      yield* templates.remove(own, id)
      const versions = yield* versionsOf(id)
      assert.deepStrictEqual(
        versions.map(({ version, subject, html, text }) => [version, subject, html, text]),
        [
          [1, "Hi {{name}}", "<p>{{name}}</p>", "{{name}}"],
          [2, "Hello", "<p>{{name}}</p>", null],
          [3, "Hello", "{{name}} {{other}}", null],
          [4, "Hello", "{{other}}", null],
          [5, "Hello", "{{name}}", null],
          [6, "Hello", "{{name}}", null]
        ]
      )
      assert.deepStrictEqual(versions[1]?.variables, [{ name: "name", required: false, fallback: "x" }])
    })
  )

  it.effect("rejects a duplicate name in an organization, also with concurrent requests", () =>
    Effect.gen(function* () {
      const templates = yield* Templates
      const own = yield* makeOrganization()
      const other = yield* makeOrganization()
      const { id } = yield* oneSucceeds(templates.create(own, welcome), "template", 8)
      yield* templates.create(other, welcome)
      const second = yield* templates.create(own, { ...welcome, name: "Second" })
      const taken = yield* Effect.flip(templates.update(own, second.id, { name: "Welcome", subject: "x" }))
      assert.deepInclude(taken, { _tag: "ConflictError", resource: "template", message: "The name Welcome is taken" })
      assert.deepStrictEqual({ ...(yield* templates.get(own, second.id)) }, { ...second })
      yield* templates.remove(own, id)
      assert.strictEqual((yield* templates.update(own, second.id, { name: "Welcome" })).version, 2)
    })
  )

  it.effect("applies concurrent updates as one version each", () =>
    Effect.gen(function* () {
      const templates = yield* Templates
      const own = yield* makeOrganization()
      const { id } = yield* templates.create(own, welcome)
      yield* Effect.all(
        Array.from({ length: 8 }, (_, at) =>
          templates.update(own, id, at % 2 === 0 ? { subject: `Subject ${at}` } : { html: `<p>${at}</p>` })
        ),
        { concurrency: "unbounded" }
      )
      assert.strictEqual((yield* templates.get(own, id)).version, 9)
      assert.strictEqual((yield* versionsOf(id)).length, 9)
    })
  )

  it.effect("lists templates newest first, filtered by the search text", () =>
    Effect.gen(function* () {
      const templates = yield* Templates
      const own = yield* makeOrganization()
      yield* templates.create(own, { ...welcome, name: "Shop 100%" })
      yield* templates.create(own, { ...welcome, name: "BLOG", subject: "News of the shop" })
      yield* templates.create(own, { ...welcome, name: "Third" })
      const names = (filters: { search?: string }, request = firstPage) =>
        Effect.map(templates.list(own, filters, request), ({ items, pagination }) => [
          items.map(({ name }) => name),
          pagination.total
        ])
      assert.deepStrictEqual(yield* names({}), [["Third", "BLOG", "Shop 100%"], 3])
      assert.deepStrictEqual(yield* names({}, { page: 2, limit: 2 }), [["Shop 100%"], 3])
      assert.deepStrictEqual(yield* names({ search: "SHOP" }), [["BLOG", "Shop 100%"], 2])
      assert.deepStrictEqual(yield* names({ search: "0%" }), [["Shop 100%"], 1])
      assert.deepStrictEqual(yield* names({ search: "%" }), [["Shop 100%"], 1])
    })
  )

  it.effect("previews changes without storing them, and names their errors", () =>
    Effect.gen(function* () {
      const templates = yield* Templates
      const own = yield* makeOrganization()
      const { id } = yield* templates.create(own, { ...welcome, variables: [{ name: "name", fallback: "you" }] })
      const preview = (request: RenderTemplate) =>
        Effect.map(templates.preview(own, id, request), (all) => ({ ...all }))
      const changes = { subject: "Bye {{name}}", html: "<p>{{name}} {{order}}</p>", text: null }
      assert.deepStrictEqual(yield* preview({ ...changes, data: {} }), {
        subject: "Bye you",
        html: "<p>you </p>",
        text: "you",
        missing: ["order"]
      })
      assert.deepStrictEqual((yield* preview({ variables: null })).missing, ["name"])
      const unclosed = yield* Effect.flip(preview({ html: "<p>{{#name}}" }))
      assert.deepInclude(unclosed, {
        fields: { html: ['has a section "name" that is not closed at line 1, column 4'] }
      })
      assert.deepStrictEqual((yield* preview({})).subject, "Hi you")
      assert.strictEqual((yield* templates.get(own, id)).version, 1)
    })
  )

  it.effect("renders the current version and returns its number", () =>
    Effect.gen(function* () {
      const templates = yield* Templates
      const own = yield* makeOrganization()
      const { id } = yield* templates.create(own, welcome)
      const render = templates.render(own, "email", id.toUpperCase(), { name: "<Ada>" })
      const expected = { subject: "Hi <Ada>", html: "<p>&lt;Ada&gt;</p>", text: "<Ada>" }
      assert.strictEqual((yield* Effect.flip(render))._tag, "ResourceNotFoundError")
      const now = templates.render(own, "email", id, { name: "<Ada>" })
      assert.deepStrictEqual(yield* now, { ...expected, version: 1 })
      yield* templates.update(own, id, { subject: "Bye {{name}}" })
      assert.deepStrictEqual(yield* now, { ...expected, subject: "Bye <Ada>", version: 2 })
    })
  )

  it.effect("has a text only for another channel than email, and renders for sends of its channel only", () =>
    Effect.gen(function* () {
      const templates = yield* Templates
      const own = yield* makeOrganization()
      const mail = yield* templates.create(own, welcome)
      const { id } = yield* templates.create(own, { name: "Text", channel: "sms", text: "Hi {{name}}" })
      const found = yield* templates.get(own, id)
      assert.deepInclude({ ...found }, { channel: "sms", text: "Hi {{name}}" })
      assert.doesNotHaveAnyKeys({ ...found }, ["subject", "html"])
      const { items } = yield* templates.list(own, { channel: "sms" }, firstPage)
      assert.deepStrictEqual(
        items.map((one) => one.id),
        [id]
      )
      const rendered = yield* templates.render(own, "sms", id, { name: "<Ada>" })
      assert.deepInclude(rendered, { text: "Hi <Ada>", version: 1 })
      assert.deepStrictEqual({ ...(yield* templates.preview(own, id, {})) }, { text: "Hi ", missing: ["name"] })
      const refused = {
        "email.templateId": yield* Effect.flip(templates.render(own, "email", id, { name: "Ada" })),
        "sms.templateId": yield* Effect.flip(templates.render(own, "sms", mail.id, { name: "Ada" })),
        html: yield* Effect.flip(templates.update(own, id, { html: "<p>Hi</p>" })),
        text: yield* Effect.flip(templates.update(own, id, { text: null }))
      }
      for (const [field, error] of Object.entries(refused)) {
        assert.strictEqual(error._tag, "ValidationError")
        assert.hasAllKeys(error._tag === "ValidationError" ? error.fields : {}, [field])
      }
      assert.strictEqual((yield* Effect.flip(templates.previewHtml(own, id, {})))._tag, "ValidationError")
      const changed = yield* templates.update(own, id, { text: "Bye {{name}}" })
      assert.deepInclude({ ...changed }, { channel: "sms", version: 2 })
      const versions = yield* templates.versions(own, id, firstPage)
      assert.deepStrictEqual(
        versions.items.map((one) => ({ ...one }).text),
        ["Bye {{name}}", "Hi {{name}}"]
      )
    })
  )
})
