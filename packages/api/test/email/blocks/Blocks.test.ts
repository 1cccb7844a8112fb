import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, keys, LiveApi, organization } from "../../LiveApi.js"

const blocks = "/v1/email/blocks"
const ahead = "2099-01-01T00:00:00.000Z"

const block = (body: unknown, key = keys.admin) => call("POST", blocks, { body, key })

let addresses = 0
/** A new address. */
const fresh = () => `ada${++addresses}@example.com`

const checked = (email: string, key = keys.admin) =>
  Effect.map(call("GET", `${blocks}/check?email=${encodeURIComponent(email)}`, { key }), ({ body }) => body)

layer(LiveApi.layer, { excludeTestServices: true })("A block", (it) => {
  it.effect("is created with a lowercase address and defaults", () =>
    Effect.gen(function* () {
      const { body, status } = yield* block({ email: "Grace@EXAMPLE.com" })
      assert.strictEqual(status, 201)
      const { createdAt, id, updatedAt, ...rest } = body
      assert.match(id, /^[0-9a-f-]{36}$/)
      assert.deepStrictEqual(rest, {
        organizationId: organization,
        type: "email",
        value: "grace@example.com",
        scope: "all",
        reason: "manual",
        source: "api",
        hitCount: 0
      })
      assert.strictEqual(createdAt, updatedAt)
    })
  )

  it.effect("is created for a domain with reason and expiry", () =>
    Effect.gen(function* () {
      const { body, status } = yield* block({ domain: "Bücher.example", reason: "complaint", expiresAt: ahead })
      assert.strictEqual(status, 201)
      assert.deepInclude(body, {
        type: "domain",
        value: "xn--bcher-kva.example",
        reason: "complaint",
        expiresAt: ahead
      })
    })
  )

  it.effect("is created once", () =>
    Effect.gen(function* () {
      const email = fresh()
      yield* block({ email })
      const again = yield* block({ email: email.toUpperCase(), reason: "complaint" })
      assert.strictEqual(again.status, 409)
      assert.deepStrictEqual(again.body, {
        _tag: "ConflictError",
        message: `${email} is already blocked for all mail`,
        resource: "block"
      })
      assert.strictEqual((yield* block({ email }, keys.otherOrganization)).status, 201)
    })
  )

  it.effect("is created once per category, besides one on all mail", () =>
    Effect.gen(function* () {
      const email = fresh()
      const offers = yield* block({ email, category: "offers" })
      assert.deepInclude(offers.body, { value: email, scope: "category", category: "offers", reason: "manual" })
      const again = yield* block({ email, category: "offers", reason: "unsubscribe" })
      assert.strictEqual(again.status, 409)
      assert.deepInclude(again.body, {
        message: `${email} is already blocked for mail of the category offers`,
        resource: "block"
      })
      const news = yield* block({ email, category: "news" })
      assert.strictEqual(news.status, 201)
      const of = (category: string) =>
        Effect.map(
          call("GET", `${blocks}/check?${new URLSearchParams({ email, category })}`),
          ({ body }): unknown => body
        )
      assert.deepStrictEqual(yield* of("news"), { blocked: true, block: news.body, blocks: [news.body] })
      assert.deepStrictEqual(yield* of("News"), { blocked: false, blocks: [] })
      assert.lengthOf((yield* checked(email)).blocks, 2)
      const all = yield* block({ email })
      assert.strictEqual(all.status, 201)
      assert.deepStrictEqual(yield* of("receipts"), { blocked: true, block: all.body, blocks: [all.body] })
      assert.strictEqual((yield* block({ domain: "scoped.example.net", category: "news" })).status, 201)
      assert.strictEqual((yield* block({ domain: "scoped.example.net", category: "news" })).status, 409)
      assert.strictEqual((yield* block({ domain: "scoped.example.net" })).status, 201)
      const unnamed = yield* call("GET", `${blocks}/check?email=${email}&category=`)
      assert.strictEqual(unnamed.status, 400)
      const unstorable = yield* call("GET", `${blocks}/check?email=${email}&category=a%00b`)
      assert.deepStrictEqual(
        [unstorable.status, unstorable.body],
        [400, { _tag: "BadRequestError", message: "The parameter category must not contain NUL or lone surrogates" }]
      )
    })
  )

  it.effect("reports the errors of every field", () =>
    Effect.gen(function* () {
      for (const [body, fields] of [
        [{}, { email: ["is required without domain"] }],
        [{ email: fresh(), domain: "example.com" }, { domain: ["must be left out where email is given"] }],
        [
          { email: "ada", reason: "spite" },
          {
            email: ["must be an email address like ada@example.com"],
            reason: ["must be one of hard_bounce, complaint, unsubscribe, manual"]
          }
        ],
        [{ domain: "ada@example.com" }, { domain: ["must be a domain like example.com"] }],
        [{ email: fresh(), expiresAt: "1969-01-01T00:00:00.000Z" }, { expiresAt: ["must be in the future"] }],
        [{ email: fresh(), category: "" }, { category: ["must have 1 to 100 characters"] }],
        [{ email: fresh(), scope: "all" }, { scope: ["is not a known field"] }],
        [{ email: fresh(), expires: ahead }, { expires: ["is not a known field"] }]
      ] as const) {
        const response = yield* block(body)
        assert.strictEqual(response.status, 422, response.text)
        assert.deepStrictEqual(response.body.fields, fields)
      }
    })
  )

  it.effect("is found by an address or its domain, in its own organization", () =>
    Effect.gen(function* () {
      const { body: ada } = yield* block({ email: fresh() })
      const { body: domain } = yield* block({ domain: "check.example.net" })
      assert.deepStrictEqual(yield* checked(ada.value.toUpperCase()), { blocked: true, block: ada, blocks: [ada] })
      assert.deepStrictEqual(yield* checked("someone@check.example.net"), {
        blocked: true,
        block: domain,
        blocks: [domain]
      })
      assert.deepStrictEqual(yield* checked("someone@sub.check.example.net"), { blocked: false, blocks: [] })
      assert.deepStrictEqual(yield* checked(ada.value, keys.otherOrganization), { blocked: false, blocks: [] })
      for (const query of ["", "?email=", "?email=ada", "?email=a@example.com&email=b@example.com"]) {
        const response = yield* call("GET", `${blocks}/check${query}`)
        assert.deepStrictEqual([response.status, response.body._tag], [400, "BadRequestError"], query)
      }
    })
  )

  it.effect("is listed by filters", () =>
    Effect.gen(function* () {
      const { body } = yield* block({ email: "listed@example.com", reason: "unsubscribe" })
      const listed = (filters: unknown) =>
        call("GET", `${blocks}?filters=${encodeURIComponent(JSON.stringify(filters))}`)
      const found = yield* listed({ reason: "unsubscribe", search: "listed" })
      assert.deepStrictEqual(found.body, {
        items: [body],
        pagination: { page: 1, limit: 20, total: 1, totalPages: 1 }
      })
      assert.deepStrictEqual((yield* listed({ reason: "hard_bounce" })).body.items, [])
      assert.strictEqual((yield* listed({ reason: "spite" })).status, 400)
      assert.strictEqual((yield* listed({ value: "listed@example.com" })).status, 400)
    })
  )

  it.effect("changes reason and expiry only, and logs the change", () =>
    Effect.gen(function* () {
      const email = fresh()
      const { body: newResource } = yield* block({ email, category: "news", expiresAt: ahead })
      const path = `${blocks}/${newResource.id}`
      const unchanged = yield* call("PATCH", path)
      assert.deepStrictEqual([unchanged.status, unchanged.body], [200, newResource])
      const changed = yield* call("PATCH", path, { body: { reason: "complaint" } })
      assert.deepInclude(changed.body, { id: newResource.id, reason: "complaint", expiresAt: ahead, source: "api" })
      const forGood = yield* call("PATCH", path, { body: { expiresAt: null } })
      assert.notProperty(forGood.body, "expiresAt")
      assert.strictEqual(forGood.body.reason, "complaint")
      const wrong = yield* call("PATCH", path, {
        body: { expiresAt: "1969-01-01T00:00:00.000Z", email, category: "other" }
      })
      assert.deepStrictEqual([wrong.status, Object.keys(wrong.body.fields).sort()], [422, ["category", "email"]])
      const logs = yield* call("GET", `${blocks}/logs`)
      const own = logs.body.items.filter((log: { blockId: string }) => log.blockId === newResource.id)
      assert.deepStrictEqual(
        own.map(({ action, email: of }: { action: string; email: string }) => [action, of]),
        [
          ["updated", email],
          ["updated", email],
          ["added", email]
        ]
      )
      assert.deepStrictEqual(Object.keys(own[0]).sort(), ["action", "blockId", "category", "createdAt", "email", "id"])
    })
  )

  it.effect("is not found after removal", () =>
    Effect.gen(function* () {
      const { body: newResource } = yield* block({ email: fresh() })
      const path = `${blocks}/${newResource.id}`
      const removed = yield* call("DELETE", path)
      assert.deepStrictEqual([removed.status, removed.body], [200, { success: true }])
      assert.deepStrictEqual(yield* checked(newResource.value), { blocked: false, blocks: [] })
      assert.strictEqual((yield* call("DELETE", path)).status, 404)
      assert.strictEqual((yield* block({ email: newResource.value })).status, 201)
    })
  )
})
