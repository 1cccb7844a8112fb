import { createHmac, randomBytes } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Webhooks as Plain } from "@switchboard/client/promise"
import * as Webhooks from "@switchboard/client/webhooks"
import { eventExamples } from "@switchboard/domain/events/EventExamples"
import { DateTime, Effect, Predicate, Redacted, TestClock } from "effect"
import { Webhook } from "standardwebhooks"
import { v7 } from "uuid"
import { rejection } from "../promise/Serving.js"

const makeSecret = () => `whsec_${randomBytes(32).toString("base64")}`

const time = DateTime.unsafeMake("2030-01-01T00:00:00Z")
const seconds = DateTime.toEpochMillis(time) / 1_000

const secret = makeSecret()
const event = {
  id: v7(),
  type: "organization.updated",
  timestamp: "2030-01-01T00:00:00.000Z",
  organizationId: v7(),
  data: eventExamples["organization.updated"]
}
const body = JSON.stringify({ ...event, text: "Grüße 🎉" })

/** The headers of a request, signed by the reference library. */
const signed = (text: string, at = seconds, secrets: ReadonlyArray<string> = [secret]) => ({
  "webhook-id": event.id,
  "webhook-timestamp": String(at),
  "webhook-signature": secrets.map((one) => new Webhook(one).sign(event.id, new Date(at * 1_000), text)).join(" ")
})

const verify = (
  headers: Webhooks.WebhookHeaders,
  text: string | Uint8Array = body,
  secrets: ReadonlyArray<string> = [secret],
  options: Webhooks.VerifyOptions = {}
) =>
  Effect.zipRight(
    TestClock.setTime(DateTime.toEpochMillis(time)),
    Webhooks.verify(
      secrets.map((one) => Redacted.make(one)),
      headers,
      text,
      options
    )
  )

const tagOf = <A, E extends { readonly _tag: string }>(verification: Effect.Effect<A, E>) =>
  Effect.match(verification, { onSuccess: () => "success", onFailure: ({ _tag }) => _tag })

describe("Webhooks.verify", () => {
  it.effect("returns the event of a request that the reference library signed", () =>
    Effect.gen(function* () {
      for (const text of [body, new TextEncoder().encode(body), Buffer.from(body)]) {
        const found = yield* verify(signed(body), text)
        assert(found.type === "organization.updated")
        assert.strictEqual(found.id, event.id)
        assert.strictEqual(DateTime.formatIso(found.timestamp), event.timestamp)
      }
      const one = yield* Webhooks.verify(Redacted.make(secret), signed(body), body)
      assert.strictEqual(one.type, "organization.updated")
    })
  )

  it.effect("accepts the example of the specification's libraries", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_614_265_330_000)
      const verification = Webhooks.verify(
        Redacted.make("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"),
        {
          "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
          "webhook-timestamp": "1614265330",
          "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
        },
        '{"test": 2432232314}'
      )
      const error = yield* Effect.flip(verification)
      assert.deepStrictEqual(error, new Webhooks.WebhookBodyError({ message: "The body has no `id` and `type`" }))
    })
  )

  it.effect("reads headers in any case, of Headers and of Node.js", () =>
    Effect.gen(function* () {
      const headers = signed(body)
      const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
      const lists = { ...headers, "webhook-signature": ["v1,bm8=", headers["webhook-signature"]] }
      for (const form of [new Headers(headers), upper, lists]) {
        assert.strictEqual(yield* tagOf(verify(form)), "success")
      }
    })
  )

  it.effect("accepts several secrets and several signatures, as in a rotation", () =>
    Effect.gen(function* () {
      const next = makeSecret()
      const both = signed(body, seconds, [secret, next])
      for (const [headers, secrets] of [
        [both, [secret]],
        [both, [next]],
        [signed(body), [next, secret]],
        [{ ...both, "webhook-signature": `v1a,${"A".repeat(86)}== v1,? ${both["webhook-signature"]}` }, [next]]
      ] as const) {
        assert.strictEqual(yield* tagOf(verify(headers, body, secrets)), "success")
      }
      for (const secrets of [[makeSecret()], [makeSecret(), makeSecret()]]) {
        assert.strictEqual(yield* tagOf(verify(both, body, secrets)), "WebhookSignatureError")
      }
    })
  )

  it.effect("rejects another body, id, time, signature or version", () =>
    Effect.gen(function* () {
      const headers = signed(body)
      const signature = headers["webhook-signature"]
      for (const [changes, text] of [
        [{}, `${body} `],
        [{}, body.replace("Grüße", "Grusse")],
        [{ "webhook-id": v7() }, body],
        [{ "webhook-timestamp": String(seconds - 1) }, body],
        [{ "webhook-signature": signature.replace("v1,", "v2,") }, body],
        [{ "webhook-signature": signature.slice(0, -4) }, body],
        [{ "webhook-signature": "v1," }, body],
        [{ "webhook-signature": "unsigned" }, body]
      ] as const) {
        assert.strictEqual(yield* tagOf(verify({ ...headers, ...changes }, text)), "WebhookSignatureError")
      }
    })
  )

  it.effect("rejects times outside the tolerance, of five minutes by default", () =>
    Effect.gen(function* () {
      for (const [age, tolerance, expected] of [
        [300, undefined, "success"],
        [301, undefined, "WebhookTimestampError"],
        [-300, undefined, "success"],
        [-301, undefined, "WebhookTimestampError"],
        [600, 600, "success"],
        [1, 0, "WebhookTimestampError"]
      ] as const) {
        const options = tolerance === undefined ? {} : { toleranceSeconds: tolerance }
        const verification = verify(signed(body, seconds - age), body, [secret], options)
        assert.strictEqual(yield* tagOf(verification), expected, `${age} of ${tolerance}`)
      }
      const error = yield* Effect.flip(verify(signed(body, seconds - 301)))
      assert.strictEqual(error.message, "The webhook is from 301 seconds ago")
    })
  )

  it.effect("names a header that is missing or malformed", () =>
    Effect.gen(function* () {
      const headers = signed(body)
      for (const [header, value, problem] of [
        ["webhook-id", undefined, "missing"],
        ["webhook-timestamp", undefined, "missing"],
        ["webhook-signature", undefined, "missing"],
        ["webhook-timestamp", "2030-01-01", "malformed"],
        ["webhook-timestamp", `${seconds}.5`, "malformed"],
        ["webhook-id", ["1", "2"], "malformed"]
      ] as const) {
        const error = yield* Effect.flip(verify({ ...headers, [header]: value }))
        const message = `The header ${header} is ${problem}`
        assert.deepStrictEqual(error, new Webhooks.WebhookHeaderError({ message, header }))
      }
      assert.strictEqual(yield* tagOf(verify(new Headers())), "WebhookHeaderError")
    })
  )

  it.effect("rejects a malformed secret without showing it", () =>
    Effect.gen(function* () {
      const none = yield* Effect.flip(verify(signed(body), body, []))
      assert.deepStrictEqual(none, new Webhooks.WebhookSecretError({ message: "No secret is given" }))
      for (const malformed of ["", "whsec_", "whsec_?", makeSecret().slice(6), `whsec_${btoa("too short")}`]) {
        const error = yield* Effect.flip(verify(signed(body), body, [malformed]))
        assert.deepStrictEqual(
          error,
          new Webhooks.WebhookSecretError({ message: "The secret must be whsec_ and at least 24 bytes in base64" })
        )
      }
    })
  )

  it.effect("rejects a signed body that is no event, and decodes unknown events", () =>
    Effect.gen(function* () {
      for (const text of ["", "hello", "[]", "null", '{"id":"1"}', '{"id":1,"type":"message.sent"}']) {
        assert.strictEqual(yield* tagOf(verify(signed(text), text)), "WebhookBodyError", text)
      }
      const text = JSON.stringify({ id: "1", type: "moon.risen", data: {} })
      assert.deepStrictEqual(yield* verify(signed(text), text), {
        type: "unknown",
        id: "1",
        name: "moon.risen",
        envelope: { id: "1", type: "moon.risen", data: {} }
      })
    })
  )

  it.effect("rejects a signed body that is not UTF-8", () =>
    Effect.gen(function* () {
      const bytes = new Uint8Array([0x22, 0xff, 0x22])
      const signature = createHmac("sha256", Buffer.from(secret.slice(6), "base64"))
        .update(`${event.id}.${seconds}.`)
        .update(bytes)
        .digest("base64")
      const error = yield* Effect.flip(verify({ ...signed(body), "webhook-signature": `v1,${signature}` }, bytes))
      assert.deepStrictEqual(error, new Webhooks.WebhookBodyError({ message: "The body is not UTF-8" }))
    })
  )

  it.effect("rejects the usual mistakes of a receiver with the error of the argument", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<readonly [string, ReadonlyArray<unknown>]> = [
        ["WebhookSecretError", [undefined, signed(body), body]],
        ["WebhookSecretError", [null, {}, body]],
        ["WebhookSecretError", [[secret, undefined], signed(body), body]],
        ["WebhookSecretError", [42, signed(body), body]],
        ["WebhookHeaderError", [secret, undefined, body]],
        ["WebhookHeaderError", [secret, null, body]],
        ["WebhookBodyError", [secret, signed(body, Math.floor(Date.now() / 1_000)), undefined]],
        ["WebhookBodyError", [secret, signed(body, Math.floor(Date.now() / 1_000)), JSON.parse(body)]]
      ]
      for (const [tag, request] of cases) {
        const result: unknown = Reflect.apply(Plain.verify, undefined, request)
        assert(result instanceof Promise)
        const error = yield* rejection(result)
        assert(Predicate.hasProperty(error, "_tag"), String(error))
        assert.strictEqual(error._tag, tag)
      }
    })
  )
})
