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

  it.effect("cannot exceed the permissions of the managing key", () =>
    Effect.gen(function* () {
      const { key } = yield* newResource({
        roleName: undefined,
        permissions: { apiKeys: ["write"], messages: ["read"] }
      })
      const { body, status } = yield* call("POST", "/v1/api-keys", { key, body: { name: "n", roleName: "sender" } })
      assert.deepStrictEqual(
        [status, body.message],
        [
          403,
          "The API key can't grant permissions that it lacks: messages.send, templates.read, email.read, domains.read, drafts.read, drafts.write"
        ]
      )
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
