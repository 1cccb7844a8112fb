import { assert, layer } from "@effect/vitest"
import { MessageId } from "@switchboard/domain/messages/Message"
import { openPath, openToken } from "@switchboard/services/email/opens/OpenLink"
import { Signatures } from "@switchboard/services/SecretBox"
import { Effect } from "effect"
import { v7 } from "uuid"
import { call, LiveApi, organization } from "../../LiveApi.js"
import { ApiSecrets } from "../../StoredUseCases.js"

const browser = { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" }

/** A new mail, and the token of its image. */
const newMail = Effect.map(Signatures, (signatures) => {
  const mail = { messageId: MessageId.make(v7()), organizationId: organization, place: 2 }
  return { mail, token: openToken(signatures, mail) }
}).pipe(Effect.provide(ApiSecrets))

/** Opens a new mail and returns all opens up to it. */
const openedSoFar = Effect.gen(function* () {
  const { opens } = yield* LiveApi
  const { mail, token } = yield* newMail
  yield* call("GET", `${openPath}?token=${token}`, { headers: browser, key: null })
  yield* Effect.repeat(Effect.yieldNow(), { until: () => opens.some(({ messageId }) => messageId === mail.messageId) })
  return opens.map(({ messageId }) => messageId)
})

layer(LiveApi.layer, { excludeTestServices: true })("The image of a mail", (it) => {
  it.effect("is an uncached pixel for any origin, and records the open", () =>
    Effect.gen(function* () {
      const { baseUrl, opens } = yield* LiveApi
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
      yield* openedSoFar
      const { at: _, ...first } =
        opens.find(({ messageId }) => messageId === mail.messageId) ?? assert.fail("no open was recorded")
      assert.deepStrictEqual(first, mail)
    })
  )

  it.effect("is the same for invalid tokens and automatic requests, which record nothing", () =>
    Effect.gen(function* () {
      const before = yield* openedSoFar
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
      assert.strictEqual((yield* openedSoFar).length, before.length + 1)
    })
  )
})
