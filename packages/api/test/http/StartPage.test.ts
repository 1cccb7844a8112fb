import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { LiveApi } from "../LiveApi.js"

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"

layer(LiveApi.layer, { excludeTestServices: true })("GET /", (it) => {
  const open = (method: string, accept: string) =>
    Effect.flatMap(LiveApi, ({ baseUrl }) =>
      Effect.promise(async () => {
        const response = await fetch(baseUrl, { method, headers: { Accept: accept }, redirect: "manual" })
        return { status: response.status, headers: response.headers, text: await response.text() }
      })
    )

  it.effect("leads browsers to the console", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* LiveApi
      const { headers, status } = yield* open("GET", browser)
      assert.strictEqual(status, 302)
      assert.strictEqual(new URL(headers.get("location") ?? "", baseUrl).href, `${baseUrl}/console/`)
      assert.isNotNull(headers.get("x-request-id"))
      assert.strictEqual((yield* open("HEAD", browser)).status, 302)
    })
  )

  it.effect("responds with 404 to other callers and methods", () =>
    Effect.gen(function* () {
      for (const [method, accept] of [
        ["GET", "*/*"],
        ["GET", "application/json"],
        ["GET", "text/html;q=0"],
        ["GET", ""],
        ["POST", browser]
      ] as const) {
        const { status, text } = yield* open(method, accept)
        assert.strictEqual(status, 404)
        assert.deepStrictEqual(JSON.parse(text), { _tag: "ResourceNotFoundError", resource: "route", id: "/" })
      }
    })
  )
})
