import { assert, layer } from "@effect/vitest"
import { organizationExample } from "@switchboard/api/openapi/examples/AccountExamples"
import { Effect } from "effect"
import { call, LiveApi } from "../LiveApi.js"

const current = "/v1/organizations/current"

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
      const { body: before } = yield* call("GET", current)
      const { body: changed } = yield* call("PATCH", current, { body: { name: "Ada's", countryCode: null } })
      const { countryCode: _, ...unchanged } = before
      assert.deepStrictEqual(changed, { ...unchanged, name: "Ada's", updatedAt: changed.updatedAt })
      assert.deepStrictEqual((yield* call("GET", current)).body, changed)
    })
  )
})
