import { assert, layer } from "@effect/vitest"
import { MessageId } from "@switchboard/domain/messages/Message"
import { openPath, openToken } from "@switchboard/services/email/opens/OpenLink"
import { Signatures } from "@switchboard/services/Signatures"
import { Effect } from "effect"
import { v7 } from "uuid"
import { call, LiveApi, organization } from "../../LiveApi.js"
import { OpenSignatures } from "./OpensInMemory.js"

const browser = { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" }

/** A mail that is like no other, and the token of its image. */
const newMail = Effect.map(Signatures, (signatures) => {
  const mail = { messageId: MessageId.make(v7()), organizationId: organization, place: 2 }
  return { mail, token: openToken(signatures, mail) }
}).pipe(Effect.provide(OpenSignatures))

/** What was opened, up to a mail that is opened now. */
const openedSoFar = Effect.gen(function* () {
  const { opens } = yield* LiveApi
  const { mail, token } = yield* newMail
  yield* call("GET", `${openPath}?token=${token}`, { headers: browser, key: null })
  yield* Effect.repeat(Effect.yieldNow(), { until: () => opens.some(({ messageId }) => messageId === mail.messageId) })
  return opens.map(({ messageId }) => messageId)
})

layer(LiveApi.layer, { excludeTestServices: true, timeout: "60 seconds" })("The image of a mail", (it) => {
  it.effect("is one dot that nobody keeps, for pages of any origin, and tells that the mail is opened", () =>
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
      const { at: _, ...first } = opens.find(({ messageId }) => messageId === mail.messageId) ?? assert.fail("not told")
      assert.deepStrictEqual(first, mail)
    })
  )

  it.effect("is the same whatever is asked, and then tells nothing", () =>
    Effect.gen(function* () {
      const before = yield* openedSoFar
      const { token } = yield* newMail
      const asked: ReadonlyArray<readonly [string, string, Readonly<Record<string, string>>]> = [
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
      for (const [method, query, headers] of asked) {
        const answer = yield* call(method, `${openPath}${query}`, { headers, key: null })
        assert.deepStrictEqual(
          [answer.status, answer.headers.get("content-type"), answer.headers.get("cache-control")],
          [200, "image/gif", "no-store"],
          query
        )
      }
      assert.strictEqual((yield* openedSoFar).length, before.length + 1)
    })
  )
})
