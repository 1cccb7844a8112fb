import { assert, describe, it, layer } from "@effect/vitest"
import { otherMethods } from "@switchboard/api/http/OtherMethods"
import { Effect } from "effect"
import { call, keys, LiveApi } from "../LiveApi.js"

describe("The methods that a path lacks", () => {
  it("are those of the paths that it looks like", () => {
    const found = otherMethods([
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

layer(LiveApi.layer, { excludeTestServices: true })("A known path with another method", (it) => {
  it.effect.each([
    { method: "GET", path: "/v1/email/send" },
    { method: "GET", path: "/v1/email/send/" },
    { method: "GET", path: "/v1/messages/batch?limit=5" },
    { method: "DELETE", path: "/v1/messages/batch" },
    { method: "DELETE", path: "/v1/email/senders/confirm" },
    { method: "PATCH", path: "/v1/email/blocks/check" },
    { method: "GET", path: "/v1/email/domains/verify" },
    // Where paths only go on.
    { method: "GET", path: "/v1/email/catch-all" },
    { method: "GET", path: "/v1/email/forwarding" },
    // Where no other path looks like it.
    { method: "PATCH", path: "/v1/messages" }
  ])("is an unknown route: $method $path", ({ method, path }) =>
    Effect.gen(function* () {
      for (const key of [null, keys.admin]) {
        const { body, headers, status } = yield* call(method, path, { key })
        assert.strictEqual(status, 404)
        assert.deepStrictEqual(body, { _tag: "ResourceNotFoundError", resource: "route", id: path.split("?")[0] })
        assert.isNull(headers.get("allow"))
      }
    })
  )

  it.effect("is one by HEAD too, and leaves ids to be looked up", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* LiveApi
      const headers = { "X-API-Key": keys.admin }
      const head = yield* Effect.promise(() => fetch(`${baseUrl}/v1/email/send`, { method: "HEAD", headers }))
      assert.strictEqual(head.status, 404)
      const answers = [yield* call("GET", "/v1/email/sendx"), yield* call("GET", `/v1/email/${keys.admin}`)]
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [400, 400]
      )
    })
  )
})
