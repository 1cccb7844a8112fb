import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { LiveService, send, until } from "../LiveService.js"

layer(LiveService.Shared, { excludeTestServices: true })("Failures", (it) => {
  it.effect("have a reason in the message, and are counted by it", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const ended = (local: string, status: string, more: ReadonlyArray<{ readonly email: string }> = []) =>
        Effect.gen(function* () {
          const to = [{ email: `${local}-${randomUUID()}@example.com` }, ...more]
          const { body } = yield* call("POST", "/v1/messages", send({ to }))
          const message = yield* until(
            Effect.map(call("GET", `/v1/messages/${body.id}`), (answer) => answer.body),
            (one) => one.status === status
          )
          return message
        })
      const unknown = yield* ended("perm550", "bounced")
      assert.strictEqual(unknown.emailMetadata.deliveries[0].reason, "user_unknown")
      assert.deepStrictEqual(unknown.errorDetails.details, { smtpCode: 550, reason: "user_unknown" })
      const refused = yield* ended("data554", "failed")
      assert.strictEqual(refused.errorDetails.details.reason, refused.emailMetadata.deliveries[0].reason)
      yield* ended("perm550", "bounced", [{ email: `perm550-${randomUUID()}@example.com` }])
      yield* ended("perm550", "delivered", [{ email: "ada@example.com" }])

      const { body, status } = yield* call("GET", "/v1/analytics/failures")
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body, [
        { reason: "user_unknown", count: 3, share: 0.75 },
        { reason: refused.errorDetails.details.reason, count: 1, share: 0.25 }
      ])
      const before = "startDate=2026-01-01T00:00:00Z&endDate=2026-01-02T00:00:00Z"
      assert.deepStrictEqual((yield* call("GET", `/v1/analytics/failures?${before}`)).body, [])
    })
  )
})
