import { OpenApi } from "@effect/platform"
import { assert, layer } from "@effect/vitest"
import { Api } from "@switchboard/api"
import { Effect } from "effect"
import { call, LiveApi } from "../LiveApi.js"

/** Every operation with its parameters, except the token of a mail: any text can be one. */
const operations = Object.entries(OpenApi.fromApi(Api).paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { operationId, parameters, security }]) => {
    const named = parameters.filter(({ name }) => name !== "token")
    const namesIn = (place: string) => named.flatMap((one) => (one.in === place ? [one.name] : []))
    return named.length < 2
      ? []
      : [
          {
            operationId,
            refusesUnknown: method === "get" && security.length > 0,
            method: method.toUpperCase(),
            path: path.replace(/\{\w+\}/g, "no-id"),
            names: named.map(({ name }) => name),
            query: namesIn("query").map((name) => `${name}=`),
            headers: Object.fromEntries(namesIn("header").map((name) => [name, ""]))
          }
        ]
  })
)

layer(LiveApi.layer, { excludeTestServices: true })("Invalid parameters", (it) => {
  it.effect.each(operations)(
    "are all named at once by $operationId",
    ({ headers, method, names, path, query, refusesUnknown }) =>
      Effect.gen(function* () {
        const { body, status } = yield* call(method, `${path}?${[...query, "colour=red"].join("&")}`, { headers })
        assert.deepStrictEqual([status, body._tag], [400, "BadRequestError"])
        const named = [...body.message.matchAll(/[Tt]he parameter (\S+) (?:must|is) /g)].map(([, name]) => name)
        assert.sameMembers(named, [...names, ...(refusesUnknown ? ["colour"] : [])])
      })
  )

  it.effect("are named in one sentence", () =>
    Effect.gen(function* () {
      const query = 'page=0&limit=101&limit=1&filters={"status":"new","colour":"red"}&x=1'
      const { body, status } = yield* call("GET", `/v1/email/domains?${query}`)
      assert.deepStrictEqual(
        [status, body],
        [
          400,
          {
            _tag: "BadRequestError",
            message: [
              "The parameter page must be a whole number from 1 to 10000000",
              "the parameter filters.colour is not a known field",
              "the parameter filters.status must be one of pending, verified, degraded, failed",
              "the parameter limit must not be repeated",
              "the parameter x is not a known parameter"
            ].join("; ")
          }
        ]
      )
    })
  )

  it.effect("are counted above the twentieth", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: 1_000 }, (_, at) => `x${at}`)
      const { body, status } = yield* call("GET", `/v1/messages?${names.join("&")}`)
      assert.strictEqual(status, 400)
      assert.match(body.message, /the parameter x19 is not a known parameter; and 980 more$/)
    })
  )
})
