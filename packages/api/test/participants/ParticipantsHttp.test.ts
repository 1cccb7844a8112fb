import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, keys, LiveApi, organization } from "../LiveApi.js"

const participants = "/v1/participants"

const add = (body: unknown, key = keys.admin) => call("POST", participants, { body, key })

layer(LiveApi.layer, { excludeTestServices: true })("A participant", (it) => {
  it.effect("is created as a contact with normalized addresses", () =>
    Effect.gen(function* () {
      const { body, status } = yield* add({
        name: "Grace",
        displayName: "Admiral",
        email: "Grace@EXAMPLE.com",
        phone: "+1 (212) 555-0100",
        whatsappId: "12125550100",
        country: "US",
        region: "New York",
        metadata: { rank: 1 }
      })
      assert.strictEqual(status, 201)
      const { createdAt, id, updatedAt, ...rest } = body
      assert.match(id, /^[0-9a-f-]{36}$/)
      assert.strictEqual(createdAt, updatedAt)
      assert.deepStrictEqual(rest, {
        organizationId: organization,
        name: "Grace",
        displayName: "Admiral",
        type: "contact",
        channelIdentities: { email: ["grace@example.com"], phone: ["+12125550100"], whatsapp: ["+12125550100"] },
        country: "US",
        region: "New York",
        metadata: { rank: 1 }
      })
      assert.deepStrictEqual((yield* call("GET", `${participants}/${id}`)).body, body)
      const again = yield* add({ name: "G.", email: "grace@example.com" })
      assert.deepStrictEqual(
        [again.status, again.body._tag, again.body.resource],
        [409, "ConflictError", "participant"]
      )
      assert.strictEqual((yield* add({ name: "G.", email: "grace@example.com" }, keys.otherOrganization)).status, 201)
    })
  )

  it.effect("reports the errors of every field", () =>
    Effect.gen(function* () {
      for (const [body, fields] of [
        [{}, ["name"]],
        [{ name: " " }, ["name"]],
        [{ name: "A\nB" }, ["name"]],
        [{ name: "x".repeat(201), email: "ada" }, ["name", "email"]],
        [{ name: "Ada", phone: "030 123456", whatsappId: "ada" }, ["phone", "whatsappId"]],
        [{ name: "Ada", country: "XX", region: "" }, ["country", "region"]],
        [{ name: "Ada", metadata: { long: "x".repeat(9000) } }, ["metadata"]],
        [{ name: "Ada", displayName: null }, ["displayName"]],
        [{ name: "Ada", type: "agent" }, ["type"]]
      ] as const) {
        const response = yield* add(body)
        assert.strictEqual(response.status, 422, response.text)
        assert.deepStrictEqual(Object.keys(response.body.fields), [...fields])
      }
    })
  )

  it.effect("changes the fields of the request; null removes a field", () =>
    Effect.gen(function* () {
      const { body: newResource } = yield* add({
        name: "Cyd",
        phone: "+4930123456",
        region: "Berlin",
        metadata: { a: 1 }
      })
      const path = `${participants}/${newResource.id}`
      const changed = yield* call("PATCH", path, { body: { name: "Cyd C.", phone: null, region: null, metadata: {} } })
      assert.strictEqual(changed.status, 200)
      const { region, updatedAt, ...rest } = newResource
      assert.deepStrictEqual(
        { ...changed.body, updatedAt },
        { ...rest, updatedAt, name: "Cyd C.", channelIdentities: {}, metadata: {} }
      )
      const bare = yield* call("PATCH", path)
      assert.deepStrictEqual([bare.status, bare.body.name], [200, "Cyd C."])
      const wrong = yield* call("PATCH", path, { body: { name: null, phone: "1" } })
      assert.deepStrictEqual([wrong.status, Object.keys(wrong.body.fields)], [422, ["name"]])
    })
  )

  it.effect("is listed by filters, and not found after removal", () =>
    Effect.gen(function* () {
      const { body: newResource } = yield* add({ name: "Dee" })
      const filters = { type: "contact", search: "dee" }
      const listed = yield* call("GET", `${participants}?filters=${encodeURIComponent(JSON.stringify(filters))}`)
      assert.deepStrictEqual(listed.body.items, [newResource])
      const others = encodeURIComponent(JSON.stringify({ ...filters, type: "agent" }))
      assert.deepStrictEqual((yield* call("GET", `${participants}?filters=${others}`)).body.items, [])
      for (const wrong of [{ type: "person" }, { name: "Dee" }]) {
        const response = yield* call("GET", `${participants}?filters=${encodeURIComponent(JSON.stringify(wrong))}`)
        assert.strictEqual(response.status, 400)
      }
      const removed = yield* call("DELETE", `${participants}/${newResource.id}`)
      assert.deepStrictEqual([removed.status, removed.body], [200, { success: true }])
      assert.strictEqual((yield* call("GET", `${participants}/${newResource.id}`)).status, 404)
    })
  )
})
