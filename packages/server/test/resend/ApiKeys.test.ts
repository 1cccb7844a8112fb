import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Resend } from "resend"
import { LiveService } from "../LiveService.js"
import { dataOf, errorOf, resendSdk } from "./ResendSdk.js"

layer(LiveService.Shared, { excludeTestServices: true })("The Resend SDK, API keys", (it) => {
  it.effect("creates, lists, renames and removes a key that can only send", () =>
    Effect.gen(function* () {
      const { baseUrl, sender } = yield* LiveService
      const resend = yield* resendSdk
      const { id, token } = yield* dataOf(() =>
        resend.apiKeys.create({ name: "Production", permission: "sending_access" })
      )
      const sending = new Resend(token, { baseUrl: `${baseUrl}/resend` })
      const email = { from: sender, to: "ada@example.com", subject: "By a restricted key", text: "Hello" }
      yield* dataOf(() => sending.emails.send(email))
      assert.deepInclude(yield* errorOf(() => sending.apiKeys.list()), { statusCode: 401, name: "restricted_api_key" })
      assert.deepStrictEqual(yield* dataOf(() => resend.apiKeys.update(id, { name: "Live" })), {
        object: "api_key",
        id
      })
      const { data, has_more } = yield* dataOf(() => resend.apiKeys.list({ limit: 1 }))
      assert.isTrue(has_more)
      assert.deepStrictEqual(
        data.map((key) => [key.id, key.name]),
        [[id, "Live"]]
      )
      assert.deepStrictEqual(yield* dataOf(() => resend.apiKeys.remove(id)), { object: "api_key", id, deleted: true })
      assert.deepInclude(yield* errorOf(() => resend.apiKeys.remove(id)), { statusCode: 404, name: "not_found" })
      assert.deepStrictEqual(yield* errorOf(() => resend.apiKeys.create({ name: "One domain", domain_id: id })), {
        statusCode: 422,
        name: "validation_error",
        message: "The `domain_id` field is not a known field."
      })
    })
  )
})
