import { assert, layer } from "@effect/vitest"
import { sendExample } from "@switchboard/api/openapi/examples/MessageExamples"
import { Effect } from "effect"
import { call, keys, LiveApi } from "../LiveApi.js"

const { idempotencyKey: _, ...send } = sendExample

const with401 = (message: string) => [401, { _tag: "UnauthorizedError", message }]

const invalid = with401("The API key is missing or invalid")
const malformed = with401("The header Authorization must be the word Bearer, a space and the API key")

layer(LiveApi.layer, { excludeTestServices: true })("The API key of a request", (it) => {
  it.effect.each([
    ["Bearer with a key", { Authorization: `Bearer ${keys.reader}` }],
    ["the scheme in lower case", { Authorization: `bearer  ${keys.reader}` }],
    ["the same key twice", { Authorization: `BEARER ${keys.reader}`, "X-API-Key": keys.reader }],
    ["another scheme beside X-API-Key", { Authorization: "Basic cHJveHk6c2VjcmV0", "X-API-Key": keys.reader }]
  ] as const)("is taken from %s", ([, headers]) =>
    Effect.gen(function* () {
      const read = yield* call("GET", "/v1/messages", { key: null, headers })
      assert.deepStrictEqual([read.status, read.headers.get("ratelimit-limit")], [200, "200"])
      const write = yield* call("POST", "/v1/messages", { key: null, headers, body: send })
      assert.strictEqual(write.status, 403)
    })
  )

  it.effect.each([
    ["an unknown key", { Authorization: `Bearer ${keys.admin}x` }, invalid],
    ["another scheme alone", { Authorization: `Basic ${keys.admin}` }, invalid],
    ["no scheme", { Authorization: keys.admin }, malformed],
    ["an empty header", { Authorization: "" }, malformed],
    ["the scheme alone", { Authorization: "Bearer" }, malformed],
    ["two keys", { Authorization: `Bearer ${keys.admin} ${keys.admin}` }, malformed],
    ["a malformed header beside X-API-Key", { Authorization: "Bearer", "X-API-Key": keys.admin }, malformed],
    [
      "different keys in both headers",
      { Authorization: `Bearer ${keys.reader}`, "X-API-Key": keys.admin },
      with401("The headers X-API-Key and Authorization must have the same API key")
    ]
  ] as const)("is refused with 401 and a challenge: %s", ([, headers, expected]) =>
    Effect.gen(function* () {
      const refused = yield* call("GET", "/v1/messages", { key: null, headers })
      assert.deepStrictEqual([refused.status, refused.body], expected)
      assert.strictEqual(refused.headers.get("www-authenticate"), "Bearer")
    })
  )
})
