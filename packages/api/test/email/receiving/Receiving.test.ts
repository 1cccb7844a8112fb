import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, keys, LiveApi } from "../../LiveApi.js"

const enable = (body: unknown, key = keys.admin) => call("POST", "/v1/email/domains/enable-receiving", { body, key })
const catchAll = (method: string, path: string, body?: unknown, key = keys.admin) =>
  call(method, `/v1/email/catch-all/${path}`, body === undefined ? { key } : { body, key })

layer(LiveApi.layer, { excludeTestServices: true })("Receiving", (it) => {
  it.effect("returns the rule and its recipients", () =>
    Effect.gen(function* () {
      const { body, status } = yield* enable({
        domain: "verified.test",
        addresses: ["Support", "sales@verified.test"],
        catchAll: true
      })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body, {
        success: true,
        ruleName: "inbound-verified.test",
        recipients: ["support@verified.test", "sales@verified.test", "*@verified.test"]
      })
    })
  )

  it.effect("reports every address outside the domain", () =>
    Effect.gen(function* () {
      const { body, status } = yield* enable({ domain: "verified.test", addresses: ["ok", "a b", "x@other.test", 7] })
      assert.strictEqual(status, 422)
      assert.deepStrictEqual(Object.keys(body.fields), ["addresses.3"])
      const again = yield* enable({ domain: "verified.test", addresses: ["ok", "a b", "x@other.test", "*"] })
      assert.deepStrictEqual(again.body.fields, {
        "addresses.1": ["must be an email address like ada@example.com"],
        "addresses.2": ["must be an address at verified.test, or the part before its @"],
        "addresses.3": ["must be one address: a catch-all takes all of them"]
      })
      assert.strictEqual((yield* enable({ domain: "" })).status, 422)
    })
  )

  it.effect("returns the catch-all of every own domain, and of no other", () =>
    Effect.gen(function* () {
      const path = "config?domain=silent.test"
      assert.deepInclude((yield* catchAll("GET", path)).body, { enabled: false, forwardTo: [], exclude: [] })
      assert.strictEqual((yield* catchAll("GET", path, undefined, keys.otherOrganization)).status, 404)
      assert.strictEqual((yield* catchAll("GET", "stats?domain=unknown.test")).status, 404)
      assert.strictEqual((yield* catchAll("GET", "config")).status, 400)
      assert.deepStrictEqual((yield* catchAll("GET", "stats?domain=silent.test")).body, {
        domain: "silent.test",
        received: 0,
        forwarded: 0,
        rejected: 0,
        last24Hours: 0,
        last30Days: 0
      })
      const tooMany = Array.from({ length: 21 }, (_, at) => `a${at}@example.org`)
      const refused = yield* catchAll("PATCH", "config", {
        domain: "silent.test",
        forwardTo: tooMany,
        exclude: ["a b"]
      })
      assert.deepStrictEqual(refused.body.fields, {
        forwardTo: ["must have at most 20 items"],
        "exclude.0": ["must be an email address like ada@example.com"]
      })
    })
  )
})
