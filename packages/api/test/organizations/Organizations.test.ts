import { assert, layer } from "@effect/vitest"
import { organizationExample } from "@switchboard/api/organizations/OrganizationExamples"
import { Effect } from "effect"
import { call, LiveApi, takenSlug } from "../LiveApi.js"

const current = "/v1/organizations/current"
const patch = (body: unknown) => call("PATCH", current, { body })

layer(LiveApi.layer, { excludeTestServices: true })("The current organization", (it) => {
  it.effect("is that of the key, without absent fields", () =>
    Effect.gen(function* () {
      const { body, status } = yield* call("GET", current)
      const { messagesResetAt, ...counted } = body
      const { messagesResetAt: _, ...example } = organizationExample
      assert.deepStrictEqual([status, counted], [200, { ...example, participantsUsed: 1 }])
      assert.match(messagesResetAt, /-01T00:00:00\.000Z$/)
    })
  )

  it.effect("changes the fields of the request; null removes a field", () =>
    Effect.gen(function* () {
      const before = yield* call("GET", current)
      const changed = yield* patch({ name: "Ada's", timezone: "UTC", countryCode: null, metadata: { a: [1, null] } })
      assert.strictEqual(changed.status, 200)
      const { countryCode: _, ...unchanged } = before.body
      const { updatedAt } = changed.body
      assert.isAbove(Date.parse(updatedAt), Date.parse(unchanged.updatedAt))
      assert.deepStrictEqual(changed.body, {
        ...unchanged,
        name: "Ada's",
        timezone: "UTC",
        metadata: { a: [1, null] },
        updatedAt
      })
      assert.deepStrictEqual((yield* call("GET", current)).body, changed.body)
      for (const nothing of [{}, undefined]) {
        const same = yield* patch(nothing)
        assert.deepStrictEqual([same.status, same.body], [200, changed.body])
      }
    })
  )

  it.effect("reports all errors", () =>
    Effect.gen(function* () {
      const { body, status } = yield* patch({
        plan: "unlimited",
        isActive: false,
        messagesUsed: 0,
        paymentCustomerId: "x",
        name: null,
        defaultCurrency: "euro",
        countryCode: "Germany",
        timezone: "CEST",
        billingEmail: "ada",
        slug: "Not A Slug",
        logo: "javascript:alert(1)",
        metadata: []
      })
      assert.strictEqual(status, 422)
      assert.deepStrictEqual(body.fields, {
        plan: ["is not a known field"],
        isActive: ["is not a known field"],
        messagesUsed: ["is not a known field"],
        paymentCustomerId: ["is not a known field"],
        name: ["must be text"],
        defaultCurrency: ["must be an ISO 4217 currency code like EUR"],
        countryCode: ["must be an ISO 3166-1 alpha-2 country code like DE"],
        timezone: ["must be an IANA time zone like Europe/Berlin"],
        billingEmail: ["must be an email address like ada@example.com"],
        slug: ["must be 1 to 63 lowercase letters, digits and hyphens, with no hyphen at either end"],
        logo: ["must be an http or https URL without user name and password"],
        metadata: ["must be an object"]
      })
    })
  )

  it.effect("responds with 409 to a taken slug", () =>
    Effect.gen(function* () {
      const taken = yield* patch({ slug: takenSlug })
      assert.deepStrictEqual(
        [taken.status, taken.body._tag, taken.body.resource],
        [409, "ConflictError", "organization"]
      )
    })
  )
})
