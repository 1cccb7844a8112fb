import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, LiveApi, message } from "../LiveApi.js"

const path = "/v1/whatsapp/service-windows"
const activation = "/v1/whatsapp/service-window/activate-fep"
const unknown = "01a1fc1d-e1a0-7029-814e-d493ca640e3f"
const participantId = message.toParticipantIds[0]

layer(LiveApi.layer, { excludeTestServices: true })("Service windows", (it) => {
  it.effect("are opened, renewed, retrieved and listed", () =>
    Effect.gen(function* () {
      const before = Date.now()
      const opened = yield* call("POST", path, { body: { participantId } })
      assert.strictEqual(opened.status, 201, opened.text)
      const { serviceWindowExpiresAt, serviceWindowId, ...window } = opened.body
      assert.deepStrictEqual(window, { participantId, isServiceWindowActive: true, isFreeEntryPointActive: false })
      assert.isAtLeast(Date.parse(serviceWindowExpiresAt), before + 86_400_000)
      assert.deepStrictEqual((yield* call("GET", `${path}/${serviceWindowId}`)).body, opened.body)
      const renewed = yield* call("POST", path, { body: { participantId } })
      assert.deepStrictEqual([renewed.status, renewed.body.serviceWindowId], [201, serviceWindowId])
      const listed = yield* call("GET", path)
      assert.deepStrictEqual(listed.body, {
        items: [renewed.body],
        pagination: { page: 1, limit: 20, total: 1, totalPages: 1 }
      })
      const filters = encodeURIComponent(JSON.stringify({ participantId: unknown }))
      assert.deepStrictEqual((yield* call("GET", `${path}?filters=${filters}`)).body.items, [])
      assert.strictEqual((yield* call("GET", `${path}?filters=%7B%22source%22%3A1%7D`)).status, 400)
    })
  )

  it.effect("return the free entry point in the shape of the specification", () =>
    Effect.gen(function* () {
      const { body } = yield* call("POST", path, { body: { participantId } })
      const { participantId: _, serviceWindowId, ...window } = body
      const before = Date.now()
      const activated = yield* call("POST", activation, { body: { serviceWindowId, source: "facebook" } })
      const { freeEntryPointExpiresAt, ...said } = activated.body
      assert.strictEqual(activated.status, 200)
      assert.deepStrictEqual(said, { ...window, serviceWindowId, isFreeEntryPointActive: true })
      assert.isAtLeast(Date.parse(freeEntryPointExpiresAt), before + 3 * 86_400_000)
      const again = yield* call("POST", activation, { body: { serviceWindowId, source: "ads" } })
      assert.deepStrictEqual(again.body, activated.body)
    })
  )

  it.effect("report errors by field", () =>
    Effect.gen(function* () {
      const wrong = yield* call("POST", activation, { body: { serviceWindowId: "x", source: "tv" } })
      assert.deepStrictEqual(
        [wrong.status, wrong.body.fields],
        [422, { serviceWindowId: ["must be a uuid"], source: ["must be one of ads, facebook, instagram"] }]
      )
      assert.deepStrictEqual((yield* call("POST", path, { body: {} })).body.fields, { participantId: ["is required"] })
      const missing = yield* call("POST", path, { body: { participantId: unknown } })
      assert.deepInclude(missing.body, { _tag: "ResourceNotFoundError", resource: "participant", id: unknown })
      const none = yield* call("POST", activation, { body: { serviceWindowId: unknown, source: "ads" } })
      assert.deepInclude(none.body, { _tag: "ResourceNotFoundError", resource: "service window", id: unknown })
      assert.strictEqual((yield* call("GET", `${path}/${unknown}`)).status, 404)
    })
  )
})
