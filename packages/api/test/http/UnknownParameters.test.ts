import { OpenApi } from "@effect/platform"
import { assert, describe, it, layer } from "@effect/vitest"
import { Api } from "@switchboard/api"
import { operationRules } from "@switchboard/api/OperationRules"
import { sendExample } from "@switchboard/api/openapi/examples/MessageExamples"
import { ResendApi } from "@switchboard/api/resend/ResendApi"
import { Effect } from "effect"
import { call, LiveApi } from "../LiveApi.js"

describe("The known query parameters of an operation", () => {
  it("are those of the document", () => {
    const paths = { ...OpenApi.fromApi(Api).paths, ...OpenApi.fromApi(ResendApi).paths }
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { parameters }]) => {
        const names = parameters.flatMap((one) => (one.in === "query" ? [one.name] : []))
        return [`${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`, names.sort()] as const
      })
    )
    const known = [...operationRules].map(([operation, { parameters }]) => [operation, [...parameters].sort()] as const)
    assert.deepStrictEqual(new Map(known), new Map(documented))
  })
})

layer(LiveApi.layer, { excludeTestServices: true })("An unknown query parameter", (it) => {
  it.effect.each([
    { path: "/v1/messages?stauts=failed", name: "stauts" },
    { path: "/v1/messages?Status=failed", name: "Status" },
    { path: "/v1/messages?page=1&x", name: "x" },
    { path: "/v1/messages?status[]=failed", name: "status[]" },
    { path: "/v1/messages?=1", name: "" },
    { path: "/v1/messages?%61%20b=1", name: "a b" },
    { path: `/v1/messages?${"x".repeat(200)}=1`, name: "x".repeat(100) },
    { path: "/v1/messages?__proto__=1", name: "__proto__" },
    { path: '/v1/email/blocks/logs?filters={"action":"added"}', name: "filters" },
    { path: "/v1/email/forwarding/log?filters=nonsense", name: "filters" },
    { path: "/v1/email/threads/counts?page=1", name: "page" }
  ])("is rejected: $path", ({ name, path }) =>
    Effect.gen(function* () {
      const { body, status } = yield* call("GET", path)
      assert.deepStrictEqual(
        [status, body],
        [400, { _tag: "BadRequestError", message: `The parameter ${name} is not a known parameter` }]
      )
    })
  )

  it.effect("is accepted and stored by an operation with a body", () =>
    Effect.gen(function* () {
      const { callers } = yield* LiveApi
      assert.strictEqual((yield* call("POST", "/v1/messages?note=x", { body: sendExample })).status, 201)
      assert.deepStrictEqual(callers.at(-1)?.request.query, { note: "x" })
    })
  )

  it.effect.each(["/v1/openapi.json", "/v1/docs", "/v1/messages"])("is not reported for an empty query: %s", (path) =>
    Effect.gen(function* () {
      for (const query of ["?", "?&"]) assert.strictEqual((yield* call("GET", `${path}${query}`)).status, 200)
    })
  )

  it.effect.each([
    ["/v1/openapi.json?v=2", 200],
    ["/v1/docs?utm_source=mail", 200],
    ["/v1/email/senders/confirm?token=x&utm_source=mail", 404]
  ] as const)("is accepted by public routes: %s", ([path, wanted]) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* call("GET", path, { key: null })).status, wanted)
    })
  )
})

layer(LiveApi.layer, { excludeTestServices: true })("Deeply nested filters", (it) => {
  const narrowed = [...operationRules].filter(([, { parameters }]) => parameters.has("filters"))

  it.effect("are rejected by every operation with filters", () =>
    Effect.gen(function* () {
      assert.isAbove(narrowed.length, 10)
      for (const [operation] of narrowed) {
        const path = operation.replace("GET ", "").replace(/:\w+/g, "01a1fc1d-cf9d-766f-8d6a-43d494c1944f")
        for (const filters of ["[".repeat(5_000), `{"search":${"[".repeat(5_000)}${"]".repeat(5_000)}}`]) {
          const { body, status } = yield* call("GET", `${path}?filters=${filters}`)
          assert.deepStrictEqual(
            [operation, status, body],
            [
              operation,
              400,
              { _tag: "BadRequestError", message: "The parameter filters must not nest deeper than 64 levels" }
            ]
          )
        }
      }
    })
  )
})
