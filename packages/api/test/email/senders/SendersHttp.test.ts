import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, keys, LiveApi, organization } from "../../LiveApi.js"
import { sentLink } from "../../SentLink.js"

const senders = "/v1/email/senders"

const add = (body: unknown, key = keys.admin) => call("POST", senders, { body, key })

let addresses = 0
/** A new address. */
const fresh = (domain: string) => `ada${++addresses}@${domain}`

const listed = (filters: unknown, key = keys.admin) =>
  Effect.map(
    call("GET", `${senders}?filters=${encodeURIComponent(JSON.stringify(filters))}`, { key }),
    ({ body }) => body.items
  )

/** The path of the link that was sent to an address. */
const linkOf = (email: string) => Effect.map(sentLink(email), ({ link }) => link)

layer(LiveApi.layer, { excludeTestServices: true })("A sender", (it) => {
  it.effect("is verified at once on a verified domain", () =>
    Effect.gen(function* () {
      const email = fresh("verified.test")
      const { body, status } = yield* add({ email, name: "Ada", replyTo: "help@example.com", isDefault: true })
      assert.strictEqual(status, 201)
      const { createdAt, domainId, id, updatedAt, verifiedAt, ...rest } = body
      assert.deepStrictEqual(rest, {
        organizationId: organization,
        email,
        name: "Ada",
        replyTo: "help@example.com",
        verificationStatus: "verified",
        isDefault: true,
        isActive: true,
        reputation: 100
      })
      assert.deepStrictEqual([createdAt, updatedAt], [verifiedAt, verifiedAt])
      assert.match(domainId, /^[0-9a-f-]{36}$/)
      const standing = yield* call("GET", `${senders}/${id}/verification`)
      assert.deepStrictEqual(
        [standing.status, standing.body],
        [200, { id, verificationStatus: "verified", verifiedAt }]
      )
    })
  )

  it.effect("is confirmed once by the button of the linked page, on another domain", () =>
    Effect.gen(function* () {
      const email = fresh("pending.test")
      const { body: created } = yield* add({ email, name: "Ada", isDefault: true })
      assert.deepInclude(created, { verificationStatus: "pending", isDefault: false })
      const path = yield* linkOf(email)
      assert.match(path, /^\/v1\/email\/senders\/confirm\?token=[\w.-]+$/)
      // GET confirms nothing, because mail scanners follow links.
      for (const _ of [1, 2]) {
        const page = yield* call("GET", path, { key: null, headers: { "X-Forwarded-Host": "evil.test" } })
        assert.strictEqual(page.status, 200)
        assert.strictEqual(page.headers.get("content-type"), "text/html; charset=utf-8")
        assert.include(page.text, `<bdi>${email}</bdi>`)
        assert.include(page.text, '<form method="post"><button>')
        assert.notInclude(page.text, "evil.test")
        const policy = page.headers.get("content-security-policy") ?? ""
        assert.match(policy, /^default-src 'none'; style-src 'sha256-[^']+'; (?:img-src https:; )?form-action 'self'; /)
        assert.include(policy, "frame-ancestors 'none'")
        assert.strictEqual(page.headers.get("referrer-policy"), "no-referrer")
        assert.strictEqual(page.headers.get("cache-control"), "no-store")
      }
      const standing = () => call("GET", `${senders}/${created.id}/verification`)
      assert.deepStrictEqual((yield* standing()).body, { id: created.id, verificationStatus: "pending" })
      for (const wrong of [
        `/v1/email/senders/confirm?token=${created.verificationToken}`,
        path.replace(/.$/, (last) => (last === "0" ? "1" : "0")),
        "/v1/email/senders/confirm?token="
      ]) {
        for (const method of ["GET", "POST"]) {
          const refused = yield* call(method, wrong, { key: null })
          assert.strictEqual(refused.status, 404, `${method} ${wrong}`)
          assert.include(refused.text, "This link is not valid")
        }
      }
      assert.strictEqual((yield* call("GET", "/v1/email/senders/confirm", { key: null })).status, 400)
      const confirmed = yield* call("POST", path, {
        key: null,
        headers: { "Content-Type": "application/x-www-form-urlencoded" }
      })
      assert.strictEqual(confirmed.status, 200)
      assert.include(confirmed.text, email)
      const after = (yield* standing()).body
      assert.strictEqual(after.verificationStatus, "verified")
      assert.isString(after.verifiedAt)
      for (const method of ["GET", "POST"]) {
        const used = yield* call(method, path, { key: null })
        assert.strictEqual(used.status, 410)
        assert.include(used.text, "Already confirmed")
      }
      assert.deepInclude((yield* listed({ search: email }))[0], { isDefault: true, verificationStatus: "verified" })
    })
  )

  it.effect("is listed with its token only for domains.write", () =>
    Effect.gen(function* () {
      const email = fresh("pending.test")
      const { body: created } = yield* add({ email, name: "Ada" })
      assert.isString(created.verificationToken)
      assert.deepStrictEqual(yield* listed({ search: email }), [created])
      const { verificationToken: _, ...shown } = created
      assert.deepStrictEqual(yield* listed({ search: email }, keys.domainReader), [shown])
    })
  )

  it.effect("has an unknown link after its removal, also when the address is added again", () =>
    Effect.gen(function* () {
      const email = fresh("pending.test")
      const { body: created } = yield* add({ email, name: "Ada" })
      yield* call("DELETE", `${senders}/${created.id}`)
      const before = yield* linkOf(email)
      assert.strictEqual((yield* call("POST", before, { key: null })).status, 404)
      assert.strictEqual((yield* add({ email, name: "Ada" })).status, 201)
      assert.strictEqual((yield* call("POST", before, { key: null })).status, 404)
    })
  )
})
