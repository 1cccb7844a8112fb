import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, keys, LiveApi } from "../LiveApi.js"

const id = "01a1fc1d-cf8f-76d9-be28-52307925009f"

layer(LiveApi.layer, { excludeTestServices: true })("A path that differs from a known one", (it) => {
  it.effect.each([
    { method: "GET", path: "/v1/Messages" },
    { method: "GET", path: "/V1/messages" },
    { method: "GET", path: "//v1/messages" },
    { method: "GET", path: "/v1//messages" },
    { method: "GET", path: "/v1/messages/" },
    { method: "GET", path: "/v1/messages//" },
    { method: "GET", path: `/v1/messages/${id}/` },
    { method: "POST", path: "/v1/messages//cancel" },
    { method: "GET", path: "/v1/messages;a=1" },
    { method: "GET", path: `/v1/messages/${id};a=1` },
    { method: "GET", path: "/v1/messages/?page=1" },
    { method: "GET", path: "/v1/openapi.json/" },
    { method: "GET", path: "/v1/objects/a//b" },
    { method: "GET", path: "/v1/email/Senders/confirm" }
  ])("responds with 404: $method $path", ({ method, path }) =>
    Effect.gen(function* () {
      for (const key of [null, keys.admin]) {
        const { body, status } = yield* call(method, path, { key })
        assert.strictEqual(status, 404)
        assert.deepStrictEqual(body, { _tag: "ResourceNotFoundError", resource: "route", id: path.split("?")[0] })
      }
    })
  )

  it.effect.each([`/v1/messages?page=1&limit=5`, `/v1/m%65ssages`, `/v1/messages/${id.toUpperCase()}`])(
    "matches an equivalent path (RFC 3986): %s",
    (path) =>
      Effect.gen(function* () {
        const { body } = yield* call("GET", path)
        assert.notStrictEqual(body.resource, "route")
      })
  )
})
