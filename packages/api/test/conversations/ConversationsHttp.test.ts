import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { contact as ada, call, keys, LiveApi, organization } from "../LiveApi.js"

const conversations = "/v1/conversations"
const unknown = "01a1fc1d-e1a0-7029-814e-d493ca640e3c"

const create = (body: unknown, key = keys.admin) => call("POST", conversations, { body, key })

const listed = (filters: unknown) =>
  call("GET", `${conversations}?filters=${encodeURIComponent(JSON.stringify(filters))}`)

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

  it.effect("accepts every enumerated value, and reports the errors of every field", () =>
    Effect.gen(function* () {
      for (const [field, values] of Object.entries({
        status: ["active", "waiting", "snoozed", "resolved", "archived"],
        urgency: ["low", "medium", "high", "critical"],
        complexity: ["simple", "moderate", "complex"],
        priority: [0, 1, 2, 3, 4],
        primaryChannel: ["sms", "whatsapp", "email", "voice"]
      })) {
        for (const value of values) {
          const newResource = yield* create({ channels: ["email", "sms", "whatsapp", "voice"], [field]: value })
          assert.deepStrictEqual([newResource.status, newResource.body[field]], [201, value])
        }
      }
      for (const resolutionType of ["automated", "manual", "timeout", "duplicate", "spam"]) {
        const newResource = yield* create({ channels: ["email"], status: "resolved", resolutionType })
        assert.strictEqual(newResource.body.resolutionType, resolutionType)
        assert.isString(newResource.body.resolvedAt)
      }
      for (const [body, fields] of [
        [{}, ["channels"]],
        [{ channels: [] }, ["channels"]],
        [{ channels: ["fax"] }, ["channels.0"]],
        [{ channels: ["email", "email"] }, ["channels.1"]],
        [{ channels: ["email"], primaryChannel: "sms" }, ["primaryChannel"]],
        [{ channels: ["email"], priority: 5 }, ["priority"]],
        [{ channels: ["email"], priority: 1.5 }, ["priority"]],
        [{ channels: ["email"], metadata: "{", context: "no" }, ["metadata", "context"]],
        [{ channels: ["email"], metadata: { a: 1 } }, ["metadata"]],
        [{ channels: ["email"], metadata: JSON.stringify("x".repeat(5000)) }, ["metadata"]],
        [{ channels: ["email"], status: "open", urgency: "none" }, ["status", "urgency"]],
        [{ channels: ["email"], resolutionType: "manual" }, ["resolutionType"]],
        [{ channels: ["email"], participantIds: [] }, ["participantIds"]],
        [{ channels: ["email"], participantIds: ["ada"] }, ["participantIds.0"]],
        [{ channels: ["email"], title: null, owner: "me" }, ["title", "owner"]]
      ] as const) {
        const response = yield* create(body)
        assert.strictEqual(response.status, 422, response.text)
        assert.sameMembers(Object.keys(response.body.fields), [...fields])
      }
    })
  )

  it.effect("changes the fields of the request; null removes a field", () =>
    Effect.gen(function* () {
      const { body: newResource } = yield* create({ channels: ["email"], title: "One", metadata: "{}", tags: ["a"] })
      const path = `${conversations}/${newResource.id}`
      assert.deepStrictEqual((yield* call("PATCH", path)).body, newResource)
      const changed = yield* call("PATCH", path, { body: { title: null, metadata: null, priority: 4, tags: [] } })
      const { metadata, title, updatedAt, ...rest } = newResource
      assert.deepStrictEqual({ ...changed.body, updatedAt }, { ...rest, updatedAt, priority: 4, tags: [] })
      const wrong = yield* call("PATCH", path, { body: { channels: null, participantIds: [ada], context: "{" } })
      assert.strictEqual(wrong.status, 422)
      assert.sameMembers(Object.keys(wrong.body.fields), ["channels", "participantIds", "context"])
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
      const absent = yield* call("POST", path, { body: { id: newResource.id, participantIds: [unknown] } })
      assert.deepStrictEqual(absent.body, { _tag: "ResourceNotFoundError", resource: "participant", id: unknown })
      assert.strictEqual((yield* call("POST", path)).status, 400)
    })
  )

  it.effect("is listed by filters", () =>
    Effect.gen(function* () {
      const { body: newResource } = yield* create({
        channels: ["email"],
        title: "Listed",
        tags: ["a"],
        participantIds: [ada]
      })
      const filters = {
        status: "active",
        channel: "email",
        priority: 2,
        participantId: ada,
        tag: "a",
        search: "listed"
      }
      assert.deepStrictEqual((yield* listed(filters)).body.items, [newResource])
      for (const other of [
        { status: "resolved" },
        { channel: "sms" },
        { priority: 3 },
        { participantId: unknown },
        { tag: "b" },
        { search: "other" }
      ]) {
        assert.deepStrictEqual((yield* listed({ ...filters, ...other })).body.items, [], JSON.stringify(other))
      }
      for (const wrong of [
        { status: "open" },
        { priority: "2" },
        { priority: 9 },
        { participantId: "ada" },
        { title: "x" }
      ]) {
        assert.strictEqual((yield* listed(wrong)).status, 400)
      }
    })
  )
})
