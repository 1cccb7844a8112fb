import { assert, layer } from "@effect/vitest"
import { describeConfigError } from "@switchboard/server/settings/Setting"
import { Settings } from "@switchboard/server/settings/Settings"
import { ConfigProvider, Effect } from "effect"
import { LiveService, send, until } from "./LiveService.js"

const settings = {
  RETENTION_MESSAGE_BODIES: "1 second",
  RETENTION_EVENTS: "1 second",
  RETENTION_WEBHOOK_ATTEMPTS: "1 second",
  RETENTION_KEY_ACTIVITY: "1 second",
  RETENTION_INBOUND_RAW: "1 second"
}

layer(LiveService.layer(settings), { excludeTestServices: true })("A service that forgets", (it) => {
  it.effect("deletes the content of messages, and keeps their records", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const { body: sent } = yield* call("POST", "/v1/messages", send())
      const scheduledAt = new Date(Date.now() + 3_600_000).toISOString()
      const { body: scheduled } = yield* call("POST", "/v1/messages", send({ scheduledAt }))
      const look = Effect.map(call("GET", `/v1/messages/${sent.id}`), ({ body }) => body)
      const erased = yield* until(look, ({ content }) => content.erasedAt !== undefined)
      assert.strictEqual(erased.status, "delivered")
      assert.deepInclude(erased.content, { subject: sent.content.subject, html: "", text: "", attachments: [] })
      const { body: kept } = yield* call("GET", `/v1/messages/${scheduled.id}`)
      assert.deepStrictEqual(kept.content, scheduled.content)
      const { body: record, status } = yield* call("GET", `/v1/email/${sent.id}`)
      assert.deepStrictEqual([status, record.html, record.text], [200, undefined, undefined])
    })
  )

  it.effect("refuses an invalid duration by name", () =>
    Effect.gen(function* () {
      const error = yield* Settings.pipe(
        Effect.provide(Settings.Live),
        Effect.withConfigProvider(ConfigProvider.fromMap(new Map([["RETENTION_EVENTS", "a month"]]))),
        Effect.flip
      )
      assert.strictEqual(
        describeConfigError(error),
        'RETENTION_EVENTS: must be a duration like "5 seconds" or "5s", not "a month"'
      )
    })
  )
})
