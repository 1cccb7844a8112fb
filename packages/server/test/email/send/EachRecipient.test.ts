import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { TestDatabase } from "@switchboard/store/testing/TestDatabase"
import { Effect, Layer } from "effect"
import { accepted, LiveService, messageOf, until } from "../../LiveService.js"
import { dueNow } from "../DueNow.js"

const [ada, bob, late, gone] = ["ada", "bob", "temp451", "perm550"].map(
  (local) => `${local}.${randomUUID()}@example.com`
) as [string, string, string, string]

const Live = Layer.provideMerge(TestDatabase, LiveService.Shared)

layer(Live, { excludeTestServices: true })("A marketing message", (it) => {
  it.effect("is one mail per recipient, with individual unsubscribe links and no duplicates", () =>
    Effect.gen(function* () {
      const { rcptTo, baseUrl, call, mails } = yield* LiveService
      const { content, id } = yield* accepted({
        categories: ["marketing"],
        to: [{ email: late }, { email: ada }],
        cc: [{ email: bob }],
        bcc: [{ email: gone }]
      })
      const message = yield* until(messageOf(id), ({ emailMetadata }) =>
        emailMetadata.deliveries.every(({ status }: { status: string }) => status !== "pending")
      )
      assert.strictEqual(message.status, "delivered")
      assert.deepStrictEqual(
        message.emailMetadata.deliveries.map(({ status }: { readonly status: string }) => status),
        ["deferred", "delivered", "delivered", "bounced"]
      )
      // Only the deferred recipient is attempted again.
      const attempted = Effect.sync(() => rcptTo.filter((one) => [ada, bob, gone, late].includes(one)))
      yield* dueNow
      yield* until(attempted, ({ length }) => length === 5)
      assert.deepStrictEqual([...(yield* attempted)].sort(), [ada, bob, gone, late, late])
      const copies = mails.filter(({ parsed }) => parsed.subject === content.subject)
      assert.deepStrictEqual(
        copies.map(({ parsed, rcptTo }) => [
          rcptTo,
          parsed.to?.map(({ address }) => address),
          parsed.cc,
          parsed.messageId
        ]),
        [ada, bob].map((one) => [[one], [one], undefined, message.emailMetadata.messageId])
      )
      const links = copies.map(({ parsed }) => parsed.headers.find(({ key }) => key === "list-unsubscribe")?.value)
      assert.strictEqual(new Set(links).size, 2)
      const path = /^<http:\/\/[^/]+([^>]+)>/.exec(links[1] ?? "")?.[1]
      const response = yield* Effect.promise(() => fetch(`${baseUrl}${path}`, { method: "POST" }))
      assert.strictEqual(response.status, 200)
      const blocked = yield* Effect.forEach([ada, bob], (email) =>
        Effect.map(call("GET", `/v1/email/blocks/check?email=${email}`), ({ body }) => body.blocked)
      )
      assert.deepStrictEqual(blocked, [false, true])
    })
  )
})
