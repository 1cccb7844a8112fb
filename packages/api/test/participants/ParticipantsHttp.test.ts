import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, LiveApi, organization } from "../LiveApi.js"

const participants = "/v1/participants"

layer(LiveApi.layer, { excludeTestServices: true })("A participant", (it) => {
  it.effect("is created as a contact with normalized addresses", () =>
    Effect.gen(function* () {
      const { body, status } = yield* call("POST", participants, {
        body: {
          name: "Grace",
          displayName: "Admiral",
          email: "Grace@EXAMPLE.com",
          phone: "+1 (212) 555-0100",
          whatsappId: "12125550100",
          country: "US",
          region: "New York",
          metadata: { rank: 1 }
        }
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
    })
  )
})
