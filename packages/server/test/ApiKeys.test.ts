import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { caller, LiveService, send, until } from "./LiveService.js"
import { startService } from "./TestService.js"

/** The number of activities that the services of this process have dropped. */
const droppedActivities = Effect.flatMap(LiveService, ({ baseUrl }) =>
  Effect.promise(async () => {
    const text = await (await fetch(`${baseUrl}/metrics`)).text()
    return /^switchboard_key_activity_dropped_total (\d+)$/m.exec(text)?.[1] ?? "none"
  })
)

const isGood = ({ status }: { readonly status: number }) => status === 200

layer(LiveService.Shared, { excludeTestServices: true })("API keys", (it) => {
  it.effect("of the role viewer can neither send nor create keys that can", () =>
    Effect.gen(function* () {
      const { baseUrl, call } = yield* LiveService
      const made = yield* call("POST", "/v1/api-keys", { name: "Viewer", roleName: "viewer" })
      assert.strictEqual(made.status, 201)
      const viewer = caller(baseUrl, made.body.key)
      assert.strictEqual((yield* viewer("GET", "/v1/messages")).status, 200)
      const refused = yield* Effect.all([
        viewer("POST", "/v1/messages", send()),
        viewer("POST", "/v1/api-keys", { name: "Mine", roleName: "admin" }),
        viewer("POST", "/v1/api-keys", { name: "Mine", roleName: "viewer" })
      ])
      assert.deepStrictEqual(
        refused.map(({ body, status }) => `${status} ${body._tag}`),
        Array.from({ length: 3 }, () => "403 ForbiddenError")
      )

      // A key with api_keys.create grants only its own permissions.
      const minting = { name: "Minter", permissions: { apiKeys: ["read", "write"], messages: ["read"] } }
      const minter = caller(baseUrl, (yield* call("POST", "/v1/api-keys", minting)).body.key)
      const wider = yield* minter("POST", "/v1/api-keys", { name: "Wider", roleName: "sender" })
      assert.deepStrictEqual([wider.status, wider.body._tag], [403, "ForbiddenError"])
      const narrower = yield* minter("POST", "/v1/api-keys", { name: "Narrower", permissions: { messages: ["read"] } })
      assert.strictEqual(narrower.status, 201)
      const itself = yield* minter("GET", '/v1/api-keys?filters={"search":"minter"}')
      const [{ id }] = itself.body.items
      assert.strictEqual((yield* minter("PATCH", `/v1/api-keys/${id}`, { roleName: "admin" })).status, 403)
      assert.strictEqual((yield* minter("PATCH", `/v1/api-keys/${id}`, { name: "Renamed" })).status, 200)
    })
  )

  it.scoped("expire on every process at rotation, or after the grace period", () =>
    Effect.gen(function* () {
      const { baseUrl, call, environment } = yield* LiveService
      const { baseUrl: other } = yield* startService(environment)
      const list = (url: string, key: string) => caller(url, key)("GET", "/v1/messages")
      const { id, key: first } = (yield* call("POST", "/v1/api-keys", { name: "Turning", roleName: "sender" })).body
      for (const url of [baseUrl, other]) assert.isTrue(isGood(yield* list(url, first)))

      const { key: second } = (yield* call("POST", `/v1/api-keys/${id}/rotate`)).body
      for (const url of [baseUrl, other]) {
        assert.isTrue(isGood(yield* list(url, second)))
        yield* until(list(url, first), ({ status }) => status === 401)
      }

      const { key: third } = (yield* call("POST", `/v1/api-keys/${id}/rotate`, { gracePeriodSeconds: 3600 })).body
      for (const url of [baseUrl, other]) {
        for (const key of [second, third]) assert.isTrue(isGood(yield* list(url, key)))
      }
      const sent = yield* caller(other, second)("POST", "/v1/messages", send())
      assert.deepStrictEqual([sent.status, sent.body.apiKeyId], [201, id])

      assert.strictEqual((yield* call("DELETE", `/v1/api-keys/${id}`)).status, 200)
      for (const url of [baseUrl, other]) {
        for (const key of [second, third]) yield* until(list(url, key), ({ status }) => status === 401)
      }
      assert.strictEqual((yield* call("GET", `/v1/api-keys/${id}`)).status, 404)
    })
  )

  it.effect("have their activity of all processes, also of one that has stopped", () =>
    Effect.gen(function* () {
      const { baseUrl, call, environment } = yield* LiveService
      const dropped = yield* droppedActivities
      const { id, key } = (yield* call("POST", "/v1/api-keys", { name: "Busy", roleName: "viewer" })).body
      yield* caller(baseUrl, key)("GET", "/v1/messages?limit=1")
      yield* caller(baseUrl, key)("POST", "/v1/messages", send())
      // A process writes its last activity when it stops.
      yield* Effect.scoped(
        Effect.flatMap(startService(environment), (other) => caller(other.baseUrl, key)("GET", "/v1/messages"))
      )
      const { body } = yield* until(
        call("GET", `/v1/api-keys/${id}/activity`),
        (response) => response.body.pagination.total === 3
      )
      assert.deepStrictEqual(
        body.items.map(({ method, path, status }: Record<string, unknown>) => `${method} ${path} ${status}`),
        ["GET /v1/messages 200", "POST /v1/messages 403", "GET /v1/messages 200"]
      )
      const stats = yield* call("GET", `/v1/api-keys/${id}/stats`)
      const { lastUsedAt: _, ...counts } = stats.body
      assert.deepStrictEqual(counts, {
        totalRequests: 3,
        requestsLast24Hours: 3,
        errorRate: 1 / 3,
        byStatus: { 200: 2, 403: 1 },
        byEndpoint: { "GET /v1/messages": 2, "POST /v1/messages": 1 }
      })
      assert.match(dropped, /^\d+$/)
      assert.strictEqual(yield* droppedActivities, dropped)
    })
  )
})
