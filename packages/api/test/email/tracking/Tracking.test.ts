import { assert, layer } from "@effect/vitest"
import { MessageId } from "@switchboard/domain/messages/Message"
import { clickPath, clickToken, openPath, openToken } from "@switchboard/services/email/tracking/TrackingLinks"
import { Signatures } from "@switchboard/services/SecretBox"
import { Effect } from "effect"
import { v7 } from "uuid"
import { call, LiveApi, organization } from "../../LiveApi.js"
import { ApiSecrets } from "../../StoredUseCases.js"

const browser = { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" }

/** A new mail, and the tokens of its image and links. */
const newMail = Effect.map(Signatures, (signatures) => {
  const mail = { messageId: MessageId.make(v7()), organizationId: organization, place: 2 }
  return { mail, token: openToken(signatures, mail), linkTo: (url: string) => clickToken(signatures, { ...mail, url }) }
}).pipe(Effect.provide(ApiSecrets))

/** Opens a new mail and returns the messages of all opens and clicks up to it. */
const engagedSoFar = Effect.gen(function* () {
  const { engagements } = yield* LiveApi
  const { mail, token } = yield* newMail
  yield* call("GET", `${openPath}?token=${token}`, { headers: browser, key: null })
  yield* Effect.repeat(Effect.yieldNow(), {
    until: () => engagements.some((one) => one.mail.messageId === mail.messageId)
  })
  return engagements.map((one) => one.mail.messageId)
})

layer(LiveApi.layer, { excludeTestServices: true })("The image of a mail", (it) => {
  it.effect("is an uncached pixel for any origin, and records the open", () =>
    Effect.gen(function* () {
      const { baseUrl, engagements } = yield* LiveApi
      const { mail, token } = yield* newMail
      const response = yield* Effect.promise(() => fetch(`${baseUrl}${openPath}?token=${token}`, { headers: browser }))
      const bytes = Buffer.from(yield* Effect.promise(() => response.arrayBuffer()))
      assert.deepStrictEqual([response.status, bytes.byteLength, bytes.toString("latin1", 0, 6)], [200, 43, "GIF89a"])
      assert.deepStrictEqual(
        ["content-type", "cache-control", "cross-origin-resource-policy", "x-content-type-options"].map((name) =>
          response.headers.get(name)
        ),
        ["image/gif", "no-store", "cross-origin", "nosniff"]
      )
      yield* engagedSoFar
      assert.deepStrictEqual(engagements.find((one) => one.mail.messageId === mail.messageId)?.mail, mail)
    })
  )

  it.effect("is the same for invalid tokens and automatic requests, which record nothing", () =>
    Effect.gen(function* () {
      const before = yield* engagedSoFar
      const { token } = yield* newMail
      const requests: ReadonlyArray<readonly [string, string, Readonly<Record<string, string>>]> = [
        ["GET", "", browser],
        ["GET", "?token=", browser],
        ["GET", "?token=%00%ff", browser],
        ["GET", `?token=${token}0`, browser],
        ["GET", `?token=${token}&token=${token}`, browser],
        ["GET", `?token=${"x".repeat(5_000)}`, browser],
        ["GET", `?token=${token}`, { "User-Agent": "Mozilla/5.0" }],
        ["GET", `?token=${token}`, { ...browser, Purpose: "prefetch" }],
        ["HEAD", `?token=${token}`, browser]
      ]
      for (const [method, query, headers] of requests) {
        const response = yield* call(method, `${openPath}${query}`, { headers, key: null })
        assert.deepStrictEqual(
          [response.status, response.headers.get("content-type"), response.headers.get("cache-control")],
          [200, "image/gif", "no-store"],
          query
        )
      }
      assert.strictEqual((yield* engagedSoFar).length, before.length + 1)
    })
  )
})

layer(LiveApi.layer, { excludeTestServices: true })("A link of a mail", (it) => {
  it.effect.each([
    ["a link", "https://example.com/"],
    ["a link with quotes", `https://example.com/?a=1&b=%20"'<>{}#part`],
    ["a link that is not normal", "HTTP://EXAMPLE.COM:8080/A//B/../?"],
    ["a long link", `https://example.com/${"x".repeat(4_900)}`]
  ] as const)("redirects to exactly %s, on any host, and records the click", ([_, url]) =>
    Effect.gen(function* () {
      const { engagements } = yield* LiveApi
      const { linkTo, mail } = yield* newMail
      const response = yield* call("GET", `${clickPath}${linkTo(url)}`, {
        headers: { ...browser, Host: "links.shop.test" },
        key: null
      })
      assert.deepStrictEqual(
        [response.status, response.headers.get("location"), response.headers.get("cache-control")],
        [302, url, "no-store"]
      )
      yield* engagedSoFar
      const { request } = engagements.find((one) => one.mail.messageId === mail.messageId) ?? assert.fail("no click")
      assert.deepInclude(request, { client: "other", url, userAgent: browser["User-Agent"] })
    })
  )

  it.effect("redirects a HEAD request and a scanner too, which are automatic", () =>
    Effect.gen(function* () {
      const { engagements } = yield* LiveApi
      for (const [method, headers] of [
        ["HEAD", browser],
        ["GET", { "User-Agent": "Mozilla/5.0 (Proofpoint URL Defense)" }]
      ] as const) {
        const { linkTo, mail } = yield* newMail
        const response = yield* call(method, `${clickPath}${linkTo("https://example.com/")}`, { headers, key: null })
        assert.deepStrictEqual([response.status, response.headers.get("location")], [302, "https://example.com/"])
        yield* engagedSoFar
        const found = engagements.find((one) => one.mail.messageId === mail.messageId)
        assert.strictEqual(found?.request.client, "automatic")
      }
    })
  )

  it.effect("is 404 without a redirect if any character of its token was changed", () =>
    Effect.gen(function* () {
      const before = yield* engagedSoFar
      const { linkTo, token } = yield* newMail
      const link = linkTo("https://example.com/")
      const changed = Array.from({ length: link.length }, (_, at) =>
        [link.slice(0, at), link[at] === "0" ? "1" : "0", link.slice(at + 1)].join("")
      )
      const paths = ["", "x", token, `${link}/`, `${link}0`, link.slice(0, -1), "%00", `%2e${link}`, ...changed]
      const statuses = yield* Effect.forEach(
        paths,
        (path) =>
          Effect.map(call("GET", `${clickPath}${path}`, { headers: browser, key: null }), (response) =>
            [response.status, response.headers.get("location")].join(" ").trim()
          ),
        { concurrency: 10 }
      )
      assert.deepStrictEqual(new Set(statuses), new Set(["404"]))
      assert.strictEqual((yield* engagedSoFar).length, before.length + 1)
    })
  )
})
