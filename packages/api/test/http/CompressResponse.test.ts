import { gunzipSync } from "node:zlib"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { follow } from "../events/Follow.js"
import { call, keys, LiveApi, message } from "../LiveApi.js"
import { rawResponse } from "./RawResponse.js"

const open = (path: string, headers: Readonly<Record<string, string>> = {}, method = "GET") =>
  rawResponse(path, { "X-API-Key": keys.admin, ...headers }, method)

const gzip = { "Accept-Encoding": "gzip" }

layer(LiveApi.layer, { excludeTestServices: true })("A compressed response", (it) => {
  for (const path of [
    "/v1/messages",
    "/v1/analytics/export?format=csv",
    "/v1/analytics/export?format=json",
    "/v1/analytics/export?format=ndjson&type=events",
    "/v1/email/blocks/export"
  ]) {
    it.effect(`is sent for ${path} if the client accepts it`, () =>
      Effect.gen(function* () {
        const plain = yield* open(path)
        const compressed = yield* open(path, gzip)
        assert.deepStrictEqual([plain.status, compressed.status], [200, 200])
        assert.isAbove(plain.bytes.length, 0)
        assert.isTrue(gunzipSync(compressed.bytes).equals(plain.bytes))
        assert.strictEqual(compressed.headers["content-encoding"], "gzip")
        assert.strictEqual(compressed.headers["content-type"], plain.headers["content-type"])
        assert.deepStrictEqual([plain.headers.vary, compressed.headers.vary], ["accept-encoding", "accept-encoding"])
        for (const header of ["", "gzip;q=0", "*;q=0", "identity", "br", "gzip;q=high"]) {
          const { bytes, headers } = yield* open(path, { "Accept-Encoding": header })
          assert.notProperty(headers, "content-encoding")
          assert.isTrue(bytes.equals(plain.bytes))
        }
      })
    )
  }

  it.effect("has the length of its bytes, as the response to HEAD", () =>
    Effect.gen(function* () {
      const { bytes, headers } = yield* open("/v1/messages", gzip)
      assert.strictEqual(headers["content-length"], String(bytes.length))
      const head = yield* open("/v1/messages", gzip, "HEAD")
      assert.deepStrictEqual(
        [head.status, head.bytes.length, head.headers["content-length"], head.headers["content-encoding"]],
        [200, 0, String(bytes.length), "gzip"]
      )
    })
  )

  it.effect("is not sent for a small list", () =>
    Effect.gen(function* () {
      const { bytes, headers } = yield* open("/v1/mailbox", gzip)
      assert.isBelow(bytes.length, 1_024)
      assert.notProperty(headers, "content-encoding")
      assert.strictEqual(headers.vary, "accept-encoding")
    })
  )

  it.effect("is not sent with a new secret, a single resource or an error", () =>
    Effect.gen(function* () {
      // fetch accepts gzip.
      const name = "x".repeat(200)
      const created = yield* call("POST", "/v1/api-keys", { body: { name, permissions: { messages: ["read"] } } })
      const endpoint = yield* call("POST", "/v1/webhook-endpoints", {
        body: { name: "Orders", url: `https://example.com/${"x".repeat(1_000)}`, events: ["*"] }
      })
      const one = yield* call("GET", `/v1/messages/${message.id}`)
      const unknown = yield* call("GET", `/v1/${"x".repeat(1_500)}`)
      assert.deepStrictEqual(
        [created, endpoint, one, unknown].map(({ status }) => status),
        [201, 201, 200, 404]
      )
      assert.isAbove(endpoint.text.length, 1_024)
      for (const { headers } of [created, endpoint, one, unknown]) {
        assert.isNull(headers.get("content-encoding"))
        assert.isNull(headers.get("vary"))
      }
    })
  )

  it.scoped("is not sent for the event stream", () =>
    Effect.gen(function* () {
      const { headers } = yield* follow("", gzip)
      assert.deepStrictEqual([headers.get("content-encoding"), headers.get("vary")], [null, null])
    })
  )

  it.effect("also varies by origin if the origin is allowed", () =>
    Effect.gen(function* () {
      const { headers } = yield* open("/v1/messages", { ...gzip, Origin: "https://app.test" })
      assert.strictEqual(headers.vary, "origin, accept-encoding")
    })
  )
})
