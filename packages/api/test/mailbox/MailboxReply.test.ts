import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, LiveApi } from "../LiveApi.js"

const path = "/v1/mailbox/01a1fc1d-e263-75b0-8c63-b51e27abcdaf/reply"

layer(LiveApi.layer, { excludeTestServices: true })("A reply to a mail of the local mailbox", (it) => {
  it.effect("requires an existing mail", () =>
    Effect.gen(function* () {
      const body = { text: "Yes" }
      const unknown = yield* call("POST", path, { body })
      assert.strictEqual(unknown.status, 404)
      assert.deepInclude(unknown.body, { _tag: "ResourceNotFoundError", resource: "mail" })
    })
  )

  it.effect("requires text, and rejects unknown fields", () =>
    Effect.gen(function* () {
      const problems = yield* Effect.forEach(
        [
          {},
          { text: "" },
          { text: "Yes", subject: "a\nb" },
          { text: "Yes", from: "ada" },
          { text: "Yes", to: "ada@example.com" }
        ],
        (body) =>
          Effect.map(call("POST", path, { body }), (response) => [
            response.status,
            Object.keys(response.body.fields ?? {})
          ])
      )
      assert.deepStrictEqual(problems, [
        [422, ["text"]],
        [422, ["text"]],
        [422, ["subject"]],
        [422, ["from"]],
        [422, ["to"]]
      ])
    })
  )
})
