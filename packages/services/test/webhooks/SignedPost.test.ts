import { assert, describe, it } from "@effect/vitest"
import { WebhookEndpointId } from "@switchboard/domain/webhooks/WebhookEndpoint"
import { MasterKey, SecretBox } from "@switchboard/services/SecretBox"
import {
  headersPurpose,
  makeWebhookSecret,
  secretPurpose,
  signedPost
} from "@switchboard/services/webhooks/delivery/SignedPost"
import { Effect, Layer, Redacted, TestClock } from "effect"
import { Webhook } from "standardwebhooks"

const id = WebhookEndpointId.make("01a1fc1d-e1a0-7029-814e-d493ca640e3c")
const other = WebhookEndpointId.make("01a1fc1d-e1a0-7029-814e-d493ca640e3d")
const event = { id: "01a1fc1d-e2c4-7c1e-8a55-0d2b7f3e9a61", body: '{"type":"message.sent","text":"Grüße"}' }

const boxWithKey = (byte: number) =>
  SecretBox.Live.pipe(Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32).fill(byte)))))

/** A target with two secrets and custom headers, encrypted for an endpoint. */
const sealTarget = Effect.fnUntraced(function* (owner: WebhookEndpointId) {
  const box = yield* SecretBox
  const secrets = yield* Effect.replicateEffect(makeWebhookSecret, 2)
  const headers = box.seal(headersPurpose, owner, Redacted.make(JSON.stringify({ "X-Team": "blue" })))
  const target = {
    id,
    url: "https://example.com/hooks",
    headers,
    secrets: secrets.map((secret) => box.seal(secretPurpose, owner, secret))
  }
  return { box, secrets, target }
})

describe("signedPost", () => {
  it.effect("adds the custom headers and signs with each secret and the current time", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.now())
      const { box, secrets, target } = yield* sealTarget(id)
      const post = yield* signedPost(box, target, event)
      assert.strictEqual(post.body, event.body)
      assert.deepInclude(post.headers, {
        "X-Team": "blue",
        "content-type": "application/json",
        "webhook-id": event.id
      })
      for (const secret of secrets) {
        const verified = new Webhook(Redacted.value(secret)).verify(post.body, { ...post.headers })
        assert.deepStrictEqual(verified, JSON.parse(event.body))
      }
      yield* TestClock.adjust("61 seconds")
      const later = yield* signedPost(box, { ...target, headers: null }, event)
      const seconds = (headers: Readonly<Record<string, string>>) => Number(headers["webhook-timestamp"])
      assert.strictEqual(seconds(later.headers) - seconds(post.headers), 61)
      assert.strictEqual(later.headers["webhook-id"], event.id)
      assert.notProperty(later.headers, "X-Team")
    }).pipe(Effect.provide(boxWithKey(1)))
  )

  it.effect("fails if a secret or the headers were encrypted with another key or for another endpoint", () =>
    Effect.gen(function* () {
      const { box, target } = yield* sealTarget(id)
      const otherTarget = yield* sealTarget(other)
      const newer = yield* Effect.provide(SecretBox, boxWithKey(2))
      const attempts = [
        signedPost(newer, target, event),
        signedPost(newer, { ...target, secrets: [] }, event),
        signedPost(box, { ...target, secrets: otherTarget.target.secrets }, event),
        signedPost(box, { ...target, headers: otherTarget.target.headers }, event)
      ]
      for (const attempt of attempts) {
        const error = yield* Effect.flip(attempt)
        assert.strictEqual(error._tag, "SecretUnreadable")
        assert.include(error.message, "MASTER_KEY")
      }
    }).pipe(Effect.provide(boxWithKey(1)))
  )
})
