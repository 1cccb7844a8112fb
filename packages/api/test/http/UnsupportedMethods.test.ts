import { assert, describe, it, layer } from "@effect/vitest"
import { unsupportedMethods } from "@switchboard/api/Http"
import { Effect } from "effect"
import { call, keys, LiveApi } from "../LiveApi.js"

describe("unsupportedMethods", () => {
  it("returns the methods that a parameter of another path would match", () => {
    const found = unsupportedMethods([
      { method: "GET", path: "/things/:id" },
      { method: "DELETE", path: "/things/:id" },
      { method: "POST", path: "/things" },
      { method: "POST", path: "/things/send" },
      { method: "GET", path: "/things/stats" },
      { method: "GET", path: "/things/:id/parts" },
      { method: "PATCH", path: "/things/send/parts" },
      { method: "GET", path: "/others/:id" },
      { method: "POST", path: "/others/all/stop" },
      { method: "POST", path: "/others/:otherId/parts/now" },
      { method: "GET", path: "/others/:id/:part" },
      { method: "PUT", path: "/others/:other" }
    ])
    assert.deepStrictEqual(found, [
      { method: "GET", path: "/things/send" },
      { method: "DELETE", path: "/things/send" },
      { method: "DELETE", path: "/things/stats" },
      { method: "GET", path: "/things/send/parts" },
      { method: "GET", path: "/others/all/stop" },
      { method: "GET", path: "/others/all" },
      { method: "PUT", path: "/others/all" },
      { method: "GET", path: "/others/:otherId/parts" }
    ])
  })
})

layer(LiveApi.layer, { excludeTestServices: true })("An unsupported method of a known path", (it) => {
  it.effect.each([
    { method: "GET", path: "/v1/email/send" },
    { method: "GET", path: "/v1/email/send/" },
    { method: "GET", path: "/v1/messages/batch?limit=5" },
    { method: "DELETE", path: "/v1/messages/batch" },
    { method: "DELETE", path: "/v1/email/senders/confirm" },
    { method: "DELETE", path: "/v1/conversations/01a1fc1d-e1a0-7029-814e-d493ca640e3c" },
    { method: "PATCH", path: "/v1/email/blocks/check" },
    { method: "GET", path: "/v1/email/domains/verify" },
    // Prefixes of paths.
    { method: "GET", path: "/v1/email/catch-all" },
    { method: "GET", path: "/v1/email/forwarding" },
    // No other path matches.
    { method: "PATCH", path: "/v1/messages" }
  ])("responds with 404: $method $path", ({ method, path }) =>
    Effect.gen(function* () {
      for (const key of [null, keys.admin]) {
        const { body, headers, status } = yield* call(method, path, { key })
        assert.strictEqual(status, 404)
        assert.deepStrictEqual(body, { _tag: "ResourceNotFoundError", resource: "route", id: path.split("?")[0] })
        assert.isNull(headers.get("allow"))
      }
    })
  )

  it.effect("responds with 404 to HEAD too, and does not affect ids", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* LiveApi
      const headers = { "X-API-Key": keys.admin }
      const head = yield* Effect.promise(() => fetch(`${baseUrl}/v1/email/send`, { method: "HEAD", headers }))
      assert.strictEqual(head.status, 404)
      const responses = [yield* call("GET", "/v1/email/sendx"), yield* call("GET", `/v1/email/${keys.admin}`)]
      assert.deepStrictEqual(
        responses.map(({ status }) => status),
        [400, 400]
      )
    })
  )
})
