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
      const duplicate = yield* block({ email: email.toUpperCase(), reason: "complaint" })
      assert.deepStrictEqual(
        [duplicate.status, duplicate.body],
        [409, { _tag: "ConflictError", message: `${email} is already blocked for all mail`, resource: "block" }]
      )
      assert.strictEqual(all.status, 201)
      assert.deepStrictEqual(yield* of("receipts"), { blocked: true, block: all.body, blocks: [all.body] })
      assert.strictEqual((yield* block({ domain: "scoped.example.net", category: "news" })).status, 201)
      assert.strictEqual((yield* block({ domain: "scoped.example.net", category: "news" })).status, 409)
      assert.strictEqual((yield* block({ domain: "scoped.example.net" })).status, 201)
      const unstorable = yield* call("GET", `${blocks}/check?email=${email}&category=a%00b`)
      assert.deepStrictEqual(
        [unstorable.status, unstorable.body],
        [400, { _tag: "BadRequestError", message: "The parameter category must not contain NUL or lone surrogates" }]
      )
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
})
