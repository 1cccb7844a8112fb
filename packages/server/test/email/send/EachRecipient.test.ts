import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { TestDatabase } from "@switchboard/store/testing/TestDatabase"
import { Effect, Layer } from "effect"
import { LiveService, send, until } from "../../LiveService.js"
import { dueNow } from "../DueNow.js"

const [ada, bob, late, gone] = ["ada", "bob", "temp451", "perm550"].map(
  (local) => `${local}.${randomUUID()}@example.com`
) as [string, string, string, string]

const browser = { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" }

/** Sends a message and waits for its status. */
const sent = Effect.fnUntraced(function* (
  fields: Readonly<Record<string, unknown>>,
  email: Readonly<Record<string, unknown>>,
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect response bodies as untyped JSON
  isSo: (body: any) => boolean
) {
  const { call, mails } = yield* LiveService
  const request = send(fields, email)
  const { body } = yield* call("POST", "/v1/messages", request)
  const message = yield* until(
    Effect.map(call("GET", `/v1/messages/${body.id}`), (response) => response.body),
    isSo
  )
  return { message, mails: mails.filter(({ parsed }) => parsed.subject === request.email.subject) }
})

const deliveriesOf = (message: {
  readonly emailMetadata: {
    readonly deliveries: ReadonlyArray<{ readonly recipient: string; readonly status: string }>
  }
}) => Object.fromEntries(message.emailMetadata.deliveries.map(({ recipient, status }) => [recipient, status]))

const Live = Layer.provideMerge(TestDatabase, LiveService.Shared)

layer(Live, { excludeTestServices: true })("A message to each of its recipients", (it) => {
  it.effect("is one mail per recipient for marketing, with individual unsubscribe links and no duplicates", () =>
    Effect.gen(function* () {
      const { rcptTo, baseUrl, call } = yield* LiveService
      const { mails, message } = yield* sent(
        {
          categories: ["marketing"],
          to: [{ email: late }, { email: ada }],
          cc: [{ email: bob }],
          bcc: [{ email: gone }]
        },
        {},
        ({ emailMetadata }) => emailMetadata.deliveries.every(({ status }: { status: string }) => status !== "pending")
      )
      assert.strictEqual(message.status, "delivered")
      assert.deepStrictEqual(deliveriesOf(message), {
        [late]: "deferred",
        [ada]: "delivered",
        [bob]: "delivered",
        [gone]: "bounced"
      })
      // Only the deferred recipient is attempted again.
      const attempted = Effect.sync(() => rcptTo.filter((one) => [ada, bob, gone, late].includes(one)))
      yield* dueNow
      yield* until(attempted, ({ length }) => length === 5)
      assert.deepStrictEqual([...(yield* attempted)].sort(), [ada, bob, gone, late, late])
      assert.deepStrictEqual(
        mails.map(({ parsed, rcptTo }) => [
          rcptTo,
          parsed.to?.map(({ address }) => address),
          parsed.cc,
          parsed.messageId
        ]),
        [ada, bob].map((one) => [[one], [one], undefined, message.emailMetadata.messageId])
      )
      const links = mails.map(({ parsed }) => parsed.headers.find(({ key }) => key === "list-unsubscribe")?.value)
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

  it.effect("records each recipient's opens with tracking, and shows all recipients in To", () =>
    Effect.gen(function* () {
      const { baseUrl, call } = yield* LiveService
      const cyd = "cyd@example.com"
      const { mails, message } = yield* sent(
        { to: [{ email: ada }], cc: [{ email: cyd }] },
        { trackOpens: true, html: "<html><body><p>Hello</p></body></html>" },
        ({ emailMetadata }) =>
          emailMetadata.deliveries.every(({ status }: { status: string }) => status === "delivered")
      )
      assert.deepStrictEqual(
        mails.map(({ parsed, rcptTo }) => [
          rcptTo,
          parsed.to?.map((one) => one.address),
          parsed.cc?.map((one) => one.address)
        ]),
        [ada, cyd].map((one) => [[one], [ada], [cyd]])
      )
      const address = /src="([^"]+)" width="1" height="1" alt=""><\/body><\/html>/.exec(
        mails[1]?.parsed.html ?? ""
      )?.[1]
      const path = (address ?? assert.fail("no image")).replace(/^http:\/\/[^/]+/, "").replaceAll("&amp;", "&")
      yield* Effect.promise(async () => (await fetch(`${baseUrl}${path}`, { headers: browser })).arrayBuffer())
      const read = yield* until(
        Effect.map(call("GET", `/v1/messages/${message.id}`), ({ body }) => body),
        ({ status }) => status !== "delivered"
      )
      assert.strictEqual(read.status, "read")
      assert.deepStrictEqual(deliveriesOf(read), { [ada]: "delivered", [cyd]: "read" })
      assert.notInclude(read.content.html, "<img")
    })
  )

  it.effect("is one mail for all without marketing and tracking", () =>
    Effect.gen(function* () {
      const { mails } = yield* sent(
        { to: [{ email: ada }, { email: "cyd@example.com" }] },
        {},
        ({ status }) => status === "delivered"
      )
      assert.deepStrictEqual(
        mails.map(({ rcptTo }) => [...rcptTo].sort()),
        [[ada, "cyd@example.com"]]
      )
      assert.notInclude(mails[0]?.raw ?? "", "/v1/email/")
    })
  )
})
