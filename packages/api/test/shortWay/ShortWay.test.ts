import { assert, layer } from "@effect/vitest"
import { Effect, FastCheck, Runtime } from "effect"
import { vi } from "vitest"
import { sendExample } from "../../src/messages/MessageExamples.js"
import { changed } from "../ChangedJson.js"
import { keys, LiveApi } from "../LiveApi.js"

const json = { "content-type": "application/json" }

interface Asked {
  readonly path?: string
  readonly method?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

const answer = async (baseUrl: string, { body, headers, method = "POST", path = "/v1/messages" }: Asked) => {
  const response = await fetch(`${baseUrl}${path}`, { method, headers, ...(method === "GET" ? {} : { body }) })
  const { date: _, "x-request-id": requestId, ...rest } = Object.fromEntries(response.headers)
  return { status: response.status, headers: rest, body: await response.text(), traced: requestId !== undefined }
}

/** What both ways answer, and what they made of the request. */
const bothWays = (asked: Asked) =>
  Effect.gen(function* () {
    const { baseUrl, callers, sent, short } = yield* LiveApi
    const by = (url: string) =>
      Effect.gen(function* () {
        // A key that was asked for is known for a moment.
        yield* Effect.promise(() => fetch(`${baseUrl}/v1/messages`, { headers: asked.headers }).then((it) => it.text()))
        const [before, left] = [sent.length, short.left]
        const answered = yield* Effect.promise(() => answer(url, asked))
        const withoutHost = callers
          .slice(before)
          .map(({ request: { headers, ...request }, traceParent: _, ...caller }) => {
            const { host: __, ...kept } = headers
            return { ...caller, request: { ...request, headers: kept } }
          })
        return { told: { answered, withoutHost, sent: sent.slice(before) }, left: short.left - left }
      })
    const ordinary = yield* by(baseUrl)
    const shortly = yield* by(short.baseUrl)
    return { ordinary: ordinary.told, shortly: shortly.told, wasShort: shortly.left === 0 }
  })

const { idempotencyKey: _, ...send } = sendExample
const admin = { ...json, "x-api-key": keys.admin }
const plain = JSON.stringify(send)

layer(LiveApi.layer, { excludeTestServices: true })("The short way", (it) => {
  it.effect.each([
    ["a send", { headers: admin, body: plain }],
    ["its charset", { headers: { ...admin, "content-type": "application/json; charset=utf-8" }, body: plain }],
    ["a key in its header", { headers: { ...admin, "idempotency-key": "k" }, body: plain }],
    [
      "a key in both",
      { headers: { ...admin, "idempotency-key": "again" }, body: JSON.stringify({ ...send, idempotencyKey: "again" }) }
    ],
    ["a replay", { headers: { ...admin, "idempotency-key": "again" }, body: plain }],
    ["a send that is interrupted", { headers: admin, body: JSON.stringify({ ...send, externalId: "interrupted" }) }],
    ["a failure that nobody expected", { headers: admin, body: JSON.stringify({ ...send, externalId: "defect" }) }]
  ] satisfies ReadonlyArray<readonly [string, Asked]>)("takes %s, and answers as the ordinary one does", ([, asked]) =>
    Effect.gen(function* () {
      // On a busy machine a key may be forgotten before it is asked for again.
      const tried = Effect.repeat(bothWays(asked), { until: ({ wasShort }) => wasShort, times: 5 })
      const { ordinary, shortly, wasShort } = yield* tried
      assert.isTrue(wasShort)
      assert.deepStrictEqual(shortly, ordinary)
    })
  )

  it.effect.each([
    ["no key", { headers: json, body: plain }],
    ["an unknown key", { headers: { ...json, "x-api-key": `sk_sm_${"U".repeat(40)}` }, body: plain }],
    ["a key that may not send", { headers: { ...json, "x-api-key": keys.reader }, body: plain }],
    ["a key of no organization", { headers: { ...json, "x-api-key": keys.homeless }, body: "{" }],
    ["a key whose rate is used up", { headers: { ...json, "x-api-key": keys.limited }, body: plain }],
    ["another type", { headers: { ...admin, "content-type": "text/plain" }, body: plain }],
    ["another origin", { headers: { ...admin, origin: "https://app.test" }, body: plain }],
    ["a coding", { headers: { ...admin, "content-encoding": "gzip" }, body: plain }],
    ["half a body", { headers: admin, body: plain.slice(0, 99) }],
    ["no body", { headers: admin, body: "" }],
    ["octets that are no text", { headers: admin, body: Uint8Array.of(0x7b, 0xff, 0x7d) }],
    ["a text that can't be kept", { headers: admin, body: plain.replace("{", '{"externalId":"\\u0000",') }],
    ["a name that no field has", { headers: admin, body: plain.replace("{", '{"__proto__":{},') }],
    ["a field too many", { headers: admin, body: plain.replace("{", '{"more":1,') }],
    [
      "two keys",
      { headers: { ...admin, "idempotency-key": "a" }, body: JSON.stringify({ ...send, idempotencyKey: "b" }) }
    ],
    ["a key that is none", { headers: { ...admin, "idempotency-key": "\u00ff" }, body: plain }],
    ["a large body", { headers: admin, body: JSON.stringify({ ...send, externalId: "x".repeat(1_100_000) }) }],
    ["a parameter", { path: "/v1/messages?a=1", headers: admin, body: plain }],
    ["another path", { path: "/v1/email/send", headers: admin, body: plain }],
    ["another method", { method: "GET", headers: admin, body: "" }]
  ] satisfies ReadonlyArray<readonly [string, Asked]>)("leaves %s to the ordinary one, which answers", ([, asked]) =>
    Effect.gen(function* () {
      const { ordinary, shortly, wasShort } = yield* bothWays(asked)
      assert.isFalse(wasShort)
      assert.deepStrictEqual(shortly, ordinary)
    })
  )

  it.effect("says of any send what the ordinary one says", () =>
    Effect.gen(function* () {
      const run = yield* Effect.runtime<LiveApi>()
      yield* Effect.promise(() =>
        FastCheck.assert(
          FastCheck.asyncProperty(
            changed(sendExample),
            FastCheck.constantFrom(undefined, "again", "é"),
            async (body, key) => {
              const headers = key === undefined ? admin : { ...admin, "idempotency-key": key }
              const { ordinary, shortly } = await Runtime.runPromise(run)(
                bothWays({ headers, body: JSON.stringify(body) })
              )
              assert.deepStrictEqual(shortly, ordinary)
            }
          ),
          { numRuns: 150 }
        )
      )
    })
  )

  it.effect("writes down what a key is used for, as the ordinary one does", () =>
    Effect.gen(function* () {
      const { uses } = yield* LiveApi
      const ipAddress = "203.0.113.77"
      yield* bothWays({ headers: { ...admin, "x-forwarded-for": ipAddress }, body: plain })
      const posts = () => uses.filter((use) => use.method === "POST" && use.ipAddress === ipAddress)
      yield* Effect.promise(() => vi.waitUntil(() => posts().length === 2, { timeout: 5_000 }))
      const [shortly, ordinary] = posts().map(({ at: _, id: __, latencyMs: ___, ...use }) => use)
      assert.deepStrictEqual(shortly, ordinary)
    })
  )
})
