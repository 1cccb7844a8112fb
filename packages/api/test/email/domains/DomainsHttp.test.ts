import { assert, layer } from "@effect/vitest"
import { domainExamples } from "@switchboard/api/email/domains/DomainExamples"
import { Effect } from "effect"
import { call, keys, LiveApi } from "../../LiveApi.js"
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
      assert.deepStrictEqual([failed.status, failed.body], [200, { success: false }])
      const { id: _id, ...report } = domainExamples["domains.status"].response
      for (const response of [
        yield* call("GET", `/v1/email/domains/${id}/status`),
        yield* call("POST", "/v1/email/domains/check-verification", { body: domain })
      ]) {
        assert.strictEqual(response.status, 200)
        assert.deepStrictEqual(blank(response.body), blank({ id, ...report }))
      }
      dns.publish(created.dnsRecords)
      const verified = yield* call("POST", "/v1/email/domains/verify", { body: domain })
      assert.deepStrictEqual([verified.status, verified.body], [200, domainExamples["domains.verify"].response])
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

  it.effect("reject duplicate and invalid names", () =>
    Effect.gen(function* () {
      yield* newResource("twice.test")
      const again = yield* call("POST", "/v1/email/domains", { body: { domain: "twice.test" } })
      assert.deepStrictEqual(
        [again.status, again.body],
        [
          409,
          { _tag: "ConflictError", message: "The organization has the domain twice.test already", resource: "domain" }
        ]
      )
      for (const [body, field] of [
        [{}, "domain"],
        [{ domain: "ab" }, "domain"],
        [{ domain: `${"a.".repeat(127)}co` }, "domain"],
        [{ domain: "Example.com" }, "domain"],
        [{ domain: "exa_mple.com" }, "domain"],
        [{ domain: "example.c" }, "domain"],
        [{ domain: 7 }, "domain"],
        [{ domain: "other.test", name: "x" }, "name"]
      ] as const) {
        const { body: response, status } = yield* call("POST", "/v1/email/domains", { body })
        assert.deepStrictEqual([status, Object.keys(response.fields)], [422, [field]], JSON.stringify(body))
      }
      for (const path of ["verify", "check-verification"]) {
        const { body, status } = yield* call("POST", `/v1/email/domains/${path}`, { body: { domain: "" } })
        assert.deepStrictEqual([status, body.fields], [422, { domain: ["must not be empty"] }])
      }
    })
  )

  it.effect("respond with 502 if the name servers fail", () =>
    Effect.gen(function* () {
      const { id } = yield* newResource("broken.test")
      dns.zone.set("TXT bounce.broken.test", "fails")
      dns.zone.set("NS broken.test", "fails")
      for (const response of [
        yield* call("POST", "/v1/email/domains/verify", { body: { domain: "broken.test" } }),
        yield* call("POST", "/v1/email/domains/check-verification", { body: { domain: "broken.test" } }),
        yield* call("GET", `/v1/email/domains/${id}/status`),
        yield* call("GET", "/v1/email/domains/detect-registrar?domain=broken.test")
      ]) {
        assert.strictEqual(response.status, 502)
        assert.include(response.body, { _tag: "ExternalServiceError", provider: "dns" })
      }
      assert.strictEqual((yield* call("GET", `/v1/email/domains/${id}`)).body.status, "pending")
    })
  )

  it.effect("cannot be verified after another organization", () =>
    Effect.gen(function* () {
      const own = yield* newResource("contested.test")
      dns.publish(own.dnsRecords)
      yield* call("POST", "/v1/email/domains/verify", { body: { domain: "contested.test" } })
      const unseen = yield* call("POST", "/v1/email/domains/verify", {
        body: { domain: "contested.test" },
        key: keys.otherOrganization
      })
      assert.deepStrictEqual(
        [unseen.status, unseen.body],
        [404, { _tag: "ResourceNotFoundError", resource: "domain", id: "contested.test" }]
      )
      yield* call("POST", "/v1/email/domains", { body: { domain: "contested.test" }, key: keys.otherOrganization })
      const refused = yield* call("POST", "/v1/email/domains/verify", {
        body: { domain: "contested.test" },
        key: keys.otherOrganization
      })
      assert.deepStrictEqual([refused.status, refused.body.resource], [409, "domain"])
    })
  )

  it.effect("cannot be deleted while in use", () =>
    Effect.gen(function* () {
      const { id } = yield* newResource("used.test")
      yield* call("POST", "/v1/email/senders", { body: { email: "ada@used.test", name: "Ada" } })
      assert.strictEqual((yield* call("DELETE", `/v1/email/domains/${id}`)).status, 409)
    })
  )

  it.effect("detect the DNS provider", () =>
    Effect.gen(function* () {
      dns.zone.set("NS example.com", ["ada.ns.cloudflare.com", "bob.ns.cloudflare.com"])
      const found = yield* call("GET", "/v1/email/domains/detect-registrar?domain=example.com")
      assert.deepStrictEqual([found.status, found.body], [200, domainExamples["domains.detectRegistrar"].response])
      for (const query of ["", "?domain=", "?domain=a", "?domain=Example.com"]) {
        assert.strictEqual((yield* call("GET", `/v1/email/domains/detect-registrar${query}`)).status, 400)
      }
    })
  )

  it.effect("are listed in pages, by status and name only", () =>
    Effect.gen(function* () {
      const { id } = yield* newResource("findable.test")
      const filtered = (filters: string) => call("GET", `/v1/email/domains?filters=${encodeURIComponent(filters)}`)
      const { body } = yield* filtered('{"search":"findable","status":"pending"}')
      assert.deepStrictEqual([body.items.map((one: { id: string }) => one.id), body.pagination.total], [[id], 1])
      assert.deepStrictEqual((yield* filtered('{"search":"findable","status":"verified"}')).body.items, [])
      for (const wrong of ['{"domain":"x"}', '{"status":"unknown"}']) {
        assert.strictEqual((yield* filtered(wrong)).status, 400)
      }
      assert.strictEqual((yield* call("GET", "/v1/email/domains/no-id")).status, 400)
    })
  )
})
