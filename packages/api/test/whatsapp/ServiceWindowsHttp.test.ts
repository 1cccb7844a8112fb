import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, LiveApi, message } from "../LiveApi.js"

const path = "/v1/whatsapp/service-windows"
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
    })
  )
})
