import { assert, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { call, keys, LiveApi } from "../LiveApi.js"

const unknown = "01a1fc1d-e1a0-7029-814e-d493ca640e3f"

const newResource = (body: Readonly<Record<string, unknown>> = {}, key: string = keys.admin) =>
  Effect.map(call("POST", "/v1/api-keys", { key, body: { name: "Made", roleName: "viewer", ...body } }), (response) => {
    assert.strictEqual(response.status, 201, response.text)
    return response.body
  })

/** Repeats a request until its response meets a condition, because caches and buffers delay it. */
const eventually = <A, E, R>(look: Effect.Effect<A, E, R>, isSo: (found: A) => boolean) =>
  Effect.repeat(look, { until: isSo, schedule: Schedule.spaced("20 millis") }).pipe(
    Effect.zipRight(look),
    Effect.timeout("5 seconds")
  )

layer(LiveApi.layer, { excludeTestServices: true })("The keys of an organization", (it) => {
  it.effect("show their value only at creation", () =>
    Effect.gen(function* () {
      const created = yield* call("POST", "/v1/api-keys", {
        body: { name: "Shop", description: "d", roleName: "sender", expiresAt: "2999-01-01T01:00:00+01:00" }
      })
      const { createdAt, id, key, start, ...rest } = created.body
      assert.strictEqual(created.status, 201)
      assert.match(key, /^sk_sm_[0-9A-Za-z]{40}$/)
      assert.strictEqual(start, key.slice(0, 12))
      assert.deepStrictEqual(rest, {
        name: "Shop",
        description: "d",
        organizationId: "01a1fc1d-cf8f-76d9-be28-52307925009f",
        roleName: "sender",
        permissions: {
          messages: ["read", "send"],
          templates: ["read"],
          email: ["read"],
          domains: ["read"],
          drafts: ["read", "write"]
        },
        isActive: true,
        expiresAt: "2999-01-01T00:00:00.000Z"
      })
      const found = yield* call("GET", `/v1/api-keys/${id}`)
      assert.deepStrictEqual(found.body, { ...created.body, key: `${start}…`, createdAt })
      const listed = yield* call("GET", "/v1/api-keys?limit=100")
      const changed = yield* call("PATCH", `/v1/api-keys/${id}`, { body: { name: "Shop 2" } })
      for (const { text } of [found, listed, changed]) assert.notInclude(text, key)
      const { lines } = yield* LiveApi
      assert.notInclude(JSON.stringify(lines), key)
      assert.strictEqual((yield* call("GET", "/v1/messages", { key })).status, 200)
    })
  )

  it.effect("omit absent fields", () =>
    Effect.gen(function* () {
      const { id } = yield* newResource({ roleName: undefined, permissions: { messages: ["read"] } })
      const { body } = yield* call("GET", `/v1/api-keys/${id}`)
      assert.sameMembers(Object.keys(body), [
        "id",
        "name",
        "key",
        "start",
        "organizationId",
        "permissions",
        "isActive",
        "createdAt"
      ])
    })
  )

  const invalidBodies = [
    [{}, { name: "is required", permissions: "is required without roleName" }],
    [{ name: "n" }, { permissions: "is required without roleName" }],
    [{ name: "n", roleName: "viewer", permissions: {} }, { roleName: "must be left out where permissions are given" }],
    [{ name: "n", roleName: "owner" }, { roleName: "must be one of admin, sender, viewer" }],
    [{ name: "n", roleName: "viewer", expiresAt: "2020-01-01T00:00:00Z" }, { expiresAt: "must be in the future" }],
    [{ name: "n", roleName: "viewer", expiresAt: "soon" }, { expiresAt: "must be an ISO 8601 date-time" }],
    [{ name: "n", roleName: "viewer", id: unknown }, { id: "is not a known field" }],
    [{ name: "n\0", roleName: "viewer" }, { name: "must not contain NUL or lone surrogates" }],
    [
      { name: "n", permissions: { messages: ["read", "fly"], analytics: ["read", "read"] } },
      {
        "permissions.messages": "has no action fly: only read, send, delete or *",
        "permissions.analytics": "must name each action once"
      }
    ]
  ] as const
  it.effect.each(invalidBodies)("reject %j", ([body, fields]) =>
    Effect.gen(function* () {
      const response = yield* call("POST", "/v1/api-keys", { body })
      assert.deepStrictEqual(
        [response.status, response.body.fields],
        [422, Object.fromEntries(Object.entries(fields).map(([field, sentence]) => [field, [sentence]]))]
      )
    })
  )

  it.effect("report each unknown resource", () =>
    Effect.gen(function* () {
      const { body } = yield* call("POST", "/v1/api-keys", { body: { name: "n", permissions: { mesages: ["read"] } } })
      assert.deepStrictEqual(Object.keys(body.fields), ["permissions.mesages"])
      assert.match(body.fields["permissions.mesages"][0], /^is not a resource: only messages, email, /)
    })
  )

  it.effect("change the fields of the request; null removes a field", () =>
    Effect.gen(function* () {
      const { id } = yield* newResource({ description: "d", expiresAt: "2999-01-01T00:00:00Z" })
      const patch = (body?: unknown) => call("PATCH", `/v1/api-keys/${id}`, body === undefined ? {} : { body })
      assert.strictEqual((yield* patch()).body.description, "d")
      const { body } = yield* patch({ description: null, expiresAt: null, permissions: { email: ["read"] } })
      assert.notProperty(body, "description")
      assert.notProperty(body, "expiresAt")
      assert.notProperty(body, "roleName")
      assert.deepStrictEqual(body.permissions, { email: ["read"] })
      const wrong = yield* patch({ name: "", isActive: "yes", roleName: "owner" })
      assert.strictEqual(wrong.status, 422)
      assert.sameMembers(Object.keys(wrong.body.fields), ["name", "isActive", "roleName"])
    })
  )

  it.effect("cannot exceed the permissions of the managing key", () =>
    Effect.gen(function* () {
      const wide = yield* newResource({ roleName: "admin" })
      const { key } = yield* newResource({
        roleName: undefined,
        permissions: { apiKeys: ["read", "write"], messages: ["read"] }
      })
      const narrow = yield* newResource({ roleName: undefined, permissions: { messages: ["read"] } }, key)
      const attempts = [
        ["POST", "/v1/api-keys", { name: "n", roleName: "viewer" }],
        ["POST", "/v1/api-keys", { name: "n", permissions: { messages: ["*"] } }],
        ["PATCH", `/v1/api-keys/${narrow.id}`, { permissions: { messages: ["send"] } }],
        ["PATCH", `/v1/api-keys/${wide.id}`, { name: "mine" }],
        ["POST", `/v1/api-keys/${wide.id}/rotate`, {}],
        ["DELETE", `/v1/api-keys/${wide.id}`, undefined]
      ] as const
      for (const [method, path, body] of attempts) {
        const response = yield* call(method, path, { key, body })
        assert.deepStrictEqual([response.status, response.body._tag], [403, "ForbiddenError"], `${method} ${path}`)
      }
      const { body } = yield* call("POST", "/v1/api-keys", { key, body: { name: "n", roleName: "sender" } })
      assert.strictEqual(
        body.message,
        "The API key can't grant permissions that it lacks: messages.send, templates.read, email.read, domains.read, drafts.read, drafts.write"
      )
      assert.strictEqual((yield* call("GET", "/v1/messages", { key: wide.key })).status, 200)
    })
  )

  it.effect("are listed in pages, by filters", () =>
    Effect.gen(function* () {
      const { id } = yield* newResource({ name: "Findable" })
      yield* call("PATCH", `/v1/api-keys/${id}`, { body: { isActive: false } })
      const filtered = (filters: string) => call("GET", `/v1/api-keys?filters=${encodeURIComponent(filters)}`)
      const { body } = yield* filtered('{"isActive":false,"search":"Find"}')
      assert.deepStrictEqual([body.items.map((key: { id: string }) => key.id), body.pagination.total], [[id], 1])
      const refused = [
        ["{", "filters must be a JSON object"],
        ['{"isActive":"no"}', "filters.isActive must be true or false"],
        ['{"roleName":"admin"}', "filters.roleName is not a known field"]
      ] as const
      for (const [filters, problem] of refused) {
        const response = yield* filtered(filters)
        assert.deepStrictEqual([response.status, response.body.message], [400, `The parameter ${problem}`])
      }
    })
  )

  it.effect("are rotated with or without a body, and the new value works at once", () =>
    Effect.gen(function* () {
      const { id, key: first } = yield* newResource()
      const second = yield* call("POST", `/v1/api-keys/${id}/rotate`)
      assert.deepStrictEqual([second.status, second.body.id], [200, id])
      assert.strictEqual((yield* call("GET", "/v1/messages", { key: second.body.key })).status, 200)
      yield* eventually(call("GET", "/v1/messages", { key: first }), ({ status }) => status === 401)
      const third = yield* call("POST", `/v1/api-keys/${id}/rotate`, { body: { gracePeriodSeconds: 60 } })
      assert.notStrictEqual(third.body.key, second.body.key)
      for (const gracePeriodSeconds of [-1, 86_401, 1.5, "60"]) {
        const { body, status } = yield* call("POST", `/v1/api-keys/${id}/rotate`, { body: { gracePeriodSeconds } })
        assert.deepStrictEqual([status, Object.keys(body.fields)], [422, ["gracePeriodSeconds"]])
      }
      assert.strictEqual((yield* call("POST", `/v1/api-keys/${id}/rotate`, { body: "[]" })).status, 400)
    })
  )

  it.effect("can delete themselves, and are then rejected", () =>
    Effect.gen(function* () {
      const deactivated = yield* newResource({ roleName: "admin" })
      const off = yield* call("PATCH", `/v1/api-keys/${deactivated.id}`, {
        key: deactivated.key,
        body: { isActive: false }
      })
      assert.deepStrictEqual([off.status, off.body.isActive], [200, false])
      const removed = yield* newResource({ roleName: "admin" })
      const gone = yield* call("DELETE", `/v1/api-keys/${removed.id}`, { key: removed.key })
      assert.deepStrictEqual([gone.status, gone.body], [200, { success: true }])
      for (const { key } of [deactivated, removed]) {
        yield* eventually(call("GET", "/v1/messages", { key }), ({ status }) => status === 401)
      }
      assert.strictEqual((yield* call("GET", `/v1/api-keys/${removed.id}`)).status, 404)
    })
  )

  it.effect("record every request with its status", () =>
    Effect.gen(function* () {
      const { id, key } = yield* newResource()
      const headers = { "X-Forwarded-For": "198.51.100.7" }
      yield* call("GET", "/v1/messages?limit=5", { key, headers })
      yield* call("GET", `/v1/messages/${unknown}`, { key, headers })
      yield* call("POST", "/v1/messages", { key, headers, body: "{" })
      yield* call("GET", "/v1/messages/none", { key, headers })
      const { body } = yield* eventually(
        call("GET", `/v1/api-keys/${id}/activity`),
        (response) => response.body.items.length === 4
      )
      assert.deepStrictEqual(
        body.items.map(({ at, latencyMs, ...rest }: Record<string, unknown>) => {
          assert.isNumber(latencyMs)
          assert.match(String(at), /Z$/)
          return rest
        }),
        [
          { method: "GET", path: "/v1/messages/none", status: 400, ipAddress: "198.51.100.7" },
          { method: "POST", path: "/v1/messages", status: 403, ipAddress: "198.51.100.7" },
          { method: "GET", path: `/v1/messages/${unknown}`, status: 404, ipAddress: "198.51.100.7" },
          { method: "GET", path: "/v1/messages", status: 200, ipAddress: "198.51.100.7" }
        ]
      )
      const stats = yield* call("GET", `/v1/api-keys/${id}/stats`)
      assert.deepStrictEqual(stats.body.byEndpoint, {
        "GET /v1/messages": 1,
        "GET /v1/messages/:id": 2,
        "POST /v1/messages": 1
      })
      assert.deepStrictEqual(Object.keys(stats.body).slice(0, 3), ["totalRequests", "requestsLast24Hours", "errorRate"])
    })
  )
})
