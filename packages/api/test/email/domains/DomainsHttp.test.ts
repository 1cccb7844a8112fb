import { assert, layer } from "@effect/vitest"
import { domainExamples } from "@switchboard/api/openapi/examples/EmailExamples"
import { Effect } from "effect"
import { call, LiveApi } from "../../LiveApi.js"
import { dns } from "../../StoredUseCases.js"

const newResource = (domain: string) =>
  Effect.map(call("POST", "/v1/email/domains", { body: { domain } }), (response) => {
    assert.strictEqual(response.status, 201, response.text)
    return response.body
  })

/** A text without its keys and tokens. */
const blank = (value: unknown) =>
  JSON.parse(
    JSON.stringify(value)
      .replace(/MIIB[^"]*/g, "KEY")
      .replace(/(verification(?:=|Token":"))[0-9a-f]{32}/g, "$1TOKEN")
  )

layer(LiveApi.layer, { excludeTestServices: true })("Domains", (it) => {
  it.effect("match the examples of the document", () =>
    Effect.gen(function* () {
      const { createdAt, id, updatedAt, ...created } = yield* newResource("example.com")
      const { createdAt: _, id: __, updatedAt: ___, ...example } = domainExamples["domains.create"].response
      assert.deepStrictEqual(blank(created), blank(example))
      assert.deepStrictEqual([createdAt, id.length], [updatedAt, 36])
      dns.publish(created.dnsRecords.filter(({ name }: { name: string }) => !name.startsWith("sm2")))
      const domain = { domain: "example.com" }
      const failed = yield* call("POST", "/v1/email/domains/verify", { body: domain })
      const { checkedAt: _at, id: _id, ...report } = domainExamples["domains.status"].response
      assert.deepStrictEqual(
        [failed.status, blank(failed.body)],
        [200, blank({ success: false, records: report.records })]
      )
      for (const response of [
        yield* call("GET", `/v1/email/domains/${id}/status`),
        yield* call("POST", "/v1/email/domains/check-verification", { body: domain })
      ]) {
        assert.strictEqual(response.status, 200)
        const { checkedAt, ...body } = response.body
        assert.isAtLeast(Date.parse(checkedAt), Date.parse(createdAt))
        assert.deepStrictEqual(blank(body), blank({ id, ...report }))
      }
      dns.publish(created.dnsRecords)
      const verified = yield* call("POST", "/v1/email/domains/verify", { body: domain })
      assert.strictEqual(verified.status, 200)
      assert.deepStrictEqual(blank(verified.body), blank(domainExamples["domains.verify"].response))
      const found = yield* call("GET", `/v1/email/domains/${id}`)
      assert.deepStrictEqual(Object.keys(found.body).sort(), Object.keys(domainExamples["domains.get"].response).sort())
      assert.strictEqual(found.body.status, "verified")
      const rotated = yield* call("POST", `/v1/email/domains/${id}/rotate-dkim`)
      assert.strictEqual(rotated.status, 200)
      assert.strictEqual(rotated.body.dkimTokens[1], created.dkimTokens[1])
      assert.notStrictEqual(rotated.body.dkimTokens[0], created.dkimTokens[0])
      const again = yield* call("POST", `/v1/email/domains/${id}/rotate-dkim`, { body: {} })
      assert.strictEqual(again.status, 409)
      assert.include(again.body.message, "sm1._domainkey.example.com")
      const removed = yield* call("DELETE", `/v1/email/domains/${id}`)
      assert.deepStrictEqual([removed.status, removed.body], [200, { success: true }])
      assert.strictEqual((yield* call("GET", `/v1/email/domains/${id}`)).status, 404)
    })
  )

  it.effect("are listed with a link to the next page", () =>
    Effect.gen(function* () {
      yield* newResource("older.test")
      yield* newResource("newer.test")
      const first = yield* call("GET", "/v1/email/domains?limit=1")
      const [, query = ""] = /^<(.*)>; rel="next"$/.exec(first.headers.get("link") ?? "") ?? []
      const next = yield* call("GET", `/v1/email/domains${query}`)
      assert.deepStrictEqual(
        [first, next].map(({ body }) => body.items.map(({ domain }: { readonly domain: string }) => domain)),
        [["newer.test"], ["older.test"]]
      )
    })
  )

  it.effect("never show a private key", () =>
    Effect.gen(function* () {
      const { id } = yield* newResource("secret.test")
      for (const path of ["", `/${id}`, `/${id}/status`]) {
        const { status, text } = yield* call("GET", `/v1/email/domains${path}`)
        assert.strictEqual(status, 200)
        assert.notMatch(text, /private|sealed/i)
      }
    })
  )

  it.effect("respond with 502 if the name servers fail", () =>
    Effect.gen(function* () {
      yield* newResource("broken.test")
      dns.zone.set("TXT bounce.broken.test", "fails")
      const { body, status } = yield* call("POST", "/v1/email/domains/verify", { body: { domain: "broken.test" } })
      assert.strictEqual(status, 502)
      assert.include(body, { _tag: "ExternalServiceError", provider: "dns" })
    })
  )
})
