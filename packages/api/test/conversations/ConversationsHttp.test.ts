import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { contact as ada, call, LiveApi, organization } from "../LiveApi.js"

const conversations = "/v1/conversations"
const unknown = "01a1fc1d-e1a0-7029-814e-d493ca640e3c"

const create = (body: unknown) => call("POST", conversations, { body })

const idsIn = ({ participantTracking }: { readonly participantTracking: string }) =>
  JSON.parse(participantTracking).participants.map(({ id }: { readonly id: string }) => id)

layer(LiveApi.layer, { excludeTestServices: true })("A conversation", (it) => {
  it.effect("is created with defaults", () =>
    Effect.gen(function* () {
      const { body, status } = yield* create({ channels: ["email"] })
      assert.strictEqual(status, 201)
      const { createdAt, createdBy, id, metrics, participantTracking, startedAt, updatedAt, ...rest } = body
      assert.deepStrictEqual(JSON.parse(metrics), { messageCount: 0, inboundCount: 0, outboundCount: 0 })
      assert.deepStrictEqual(JSON.parse(participantTracking), { participants: [] })
      assert.match(id, /^[0-9a-f-]{36}$/)
      assert.isString(createdBy)
      assert.deepStrictEqual([createdAt, createdAt], [startedAt, updatedAt])
      assert.deepStrictEqual(rest, {
        organizationId: organization,
        channels: ["email"],
        primaryChannel: "email",
        status: "active",
        priority: 2,
        urgency: "low",
        complexity: "simple",
        tags: [],
        categories: [],
        isTest: false,
        isInternal: false,
        isPrivate: false
      })
      assert.deepStrictEqual((yield* call("GET", `${conversations}/${id}`)).body, body)
    })
  )

  it.effect("adds and removes participants, with an optional id in the body", () =>
    Effect.gen(function* () {
      const { body: newResource } = yield* create({ channels: ["email"] })
      const path = `${conversations}/${newResource.id}/participants`
      const bob = (yield* call("POST", "/v1/participants", { body: { name: "Bob" } })).body.id
      const joined = yield* call("POST", path, {
        body: { id: newResource.id.toUpperCase(), participantIds: [ada, bob] }
      })
      assert.deepStrictEqual([joined.status, idsIn(joined.body)], [200, [ada, bob]])
      const left = yield* call("DELETE", path, { body: { participantIds: [ada] } })
      assert.deepStrictEqual([left.status, idsIn(left.body)], [200, [bob]])
      const repeated = yield* call("DELETE", path, { body: { id: newResource.id, participantIds: [bob] } })
      assert.deepStrictEqual([repeated.status, idsIn(repeated.body)], [200, []])
      for (const [method, body, fields] of [
        ["POST", {}, ["id", "participantIds"]],
        ["POST", { participantIds: [ada] }, ["id"]],
        ["POST", { id: unknown, participantIds: [ada] }, ["id"]],
        ["POST", { id: newResource.id, participantIds: [] }, ["participantIds"]],
        ["DELETE", { id: unknown, participantIds: [ada] }, ["id"]],
        ["DELETE", {}, ["participantIds"]]
      ] as const) {
        const response = yield* call(method, path, { body })
        assert.strictEqual(response.status, 422, response.text)
        assert.sameMembers(Object.keys(response.body.fields), [...fields])
      }
    })
  )
})
