import { assert, describe, it } from "@effect/vitest"
import { makeWebhookSecret, signWebhook } from "@switchboard/services/webhooks/delivery/SignedPost"
import { DateTime, Effect, Redacted } from "effect"
import { Webhook } from "standardwebhooks"

const body = JSON.stringify({ id: "evt_1", type: "message.sent", text: "Grüße 🎉" })

/** Signs with the current time, because the verifier rejects old timestamps. */
const sign = Effect.gen(function* () {
  const secrets = [yield* makeWebhookSecret, yield* makeWebhookSecret] as const
  const timestamp = Math.floor(DateTime.toEpochMillis(yield* DateTime.now) / 1000)
  const id = "msg_2b1"
  const signature = signWebhook({ id, timestamp, body }, secrets)
  return {
    secrets,
    headers: { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": signature }
  }
})

const verify = (secret: Redacted.Redacted<string>, text: string, headers: Record<string, string>) =>
  new Webhook(Redacted.value(secret)).verify(text, headers)

describe("signWebhook", () => {
  it.live("is verified by the reference library with each secret", () =>
    Effect.gen(function* () {
      const { headers, secrets } = yield* sign
      for (const secret of secrets) assert.deepStrictEqual(verify(secret, body, headers), JSON.parse(body))
      assert.match(headers["webhook-signature"], /^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/)
    })
  )

  it.live("is rejected with another secret, body, id or timestamp", () =>
    Effect.gen(function* () {
      const { headers, secrets } = yield* sign
      const another = yield* makeWebhookSecret
      const assertRejected = (secret: Redacted.Redacted<string>, text: string, changed: Record<string, string> = {}) =>
        assert.throws(() => verify(secret, text, { ...headers, ...changed }))
      assertRejected(another, body)
      assertRejected(secrets[0], `${body} `)
      assertRejected(secrets[0], body, { "webhook-id": "msg_2b2" })
      assertRejected(secrets[0], body, { "webhook-timestamp": String(Number(headers["webhook-timestamp"]) - 1) })
    })
  )

  it("matches the example of the reference libraries", () => {
    const secret = Redacted.make("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    const content = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330, body: '{"test": 2432232314}' }
    assert.strictEqual(signWebhook(content, [secret]), "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
  })

  it.effect("uses a secret of 32 random bytes that is redacted", () =>
    Effect.gen(function* () {
      const secret = yield* makeWebhookSecret
      assert.match(Redacted.value(secret), /^whsec_[A-Za-z0-9+/]{43}=$/)
      assert.lengthOf(Buffer.from(Redacted.value(secret).slice(6), "base64"), 32)
      assert.notStrictEqual(Redacted.value(secret), Redacted.value(yield* makeWebhookSecret))
      assert.notInclude(`${secret}${JSON.stringify({ secret })}`, "whsec_")
    })
  )
})
