import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { LiveService, send, until } from "../../LiveService.js"

const blocks = "/v1/email/blocks"

/** An address that no other test uses. */
const fresh = (local = "ada") => `${local}.${randomUUID()}@example.com`

/** Sends to one address; returns the message when all deliveries have ended. */
const sent = (email: string, overrides: Readonly<Record<string, unknown>> = {}) =>
  Effect.gen(function* () {
    const { call } = yield* LiveService
    const accepted = yield* call("POST", "/v1/messages", send({ to: [{ email }], ...overrides }))
    assert.strictEqual(accepted.status, 201)
    return yield* until(
      Effect.map(call("GET", `/v1/messages/${accepted.body.id}`), ({ body }) => body),
      ({ status }) => ["delivered", "failed", "bounced"].includes(status)
    )
  })

const delivery = (message: {
  readonly emailMetadata: { readonly deliveries: ReadonlyArray<{ readonly status: string }> }
}) => message.emailMetadata.deliveries.map(({ status }) => status).join(" ")

const check = (email: string, category?: string) =>
  Effect.gen(function* () {
    const { call } = yield* LiveService
    const query = new URLSearchParams({ email, ...(category === undefined ? {} : { category }) })
    return (yield* call("GET", `${blocks}/check?${query}`)).body
  })

/** Posts to the one-click unsubscribe link of a message (RFC 8058). */
const unsubscribe = (message: { readonly emailMetadata: { readonly messageId: string } }) =>
  Effect.gen(function* () {
    const { baseUrl, mails } = yield* LiveService
    const mail = mails.find(({ parsed }) => parsed.messageId === message.emailMetadata.messageId)
    const [link = ""] =
      /\/v1\/email\/unsubscribe\?token=[^>\s]+/.exec((mail?.raw ?? "").replace(/\r\n[ \t]/g, "")) ?? []
    assert.notStrictEqual(link, "")
    const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" })
    const response = yield* Effect.promise(() => fetch(`${baseUrl}${link}`, { method: "POST", body }))
    assert.strictEqual(response.status, 200)
  })

layer(LiveService.Shared, { excludeTestServices: true })("An unsubscribe", (it) => {
  it.effect("from marketing blocks marketing, but no password reset", () =>
    Effect.gen(function* () {
      const email = fresh()
      const newsletter = yield* sent(email, { categories: ["marketing", "offers"] })
      assert.strictEqual(delivery(newsletter), "delivered")
      yield* unsubscribe(newsletter)
      assert.strictEqual(delivery(yield* sent(email)), "delivered")
      assert.strictEqual(delivery(yield* sent(email, { categories: ["transactional"] })), "delivered")
      const next = yield* sent(email, { categories: ["marketing"] })
      assert.deepStrictEqual([next.status, delivery(next)], ["failed", "suppressed"])
      assert.strictEqual(delivery(yield* sent(email, { categories: ["offers"] })), "suppressed")
      const { blocked, blocks: found } = yield* check(email)
      assert.isTrue(blocked)
      assert.deepStrictEqual(
        found.map(({ category, reason, scope, source, sourceMessageId }: Record<string, unknown>) => [
          scope,
          category,
          reason,
          source,
          sourceMessageId
        ]),
        [
          ["category", "marketing", "unsubscribe", "recipient", newsletter.id],
          ["category", "offers", "unsubscribe", "recipient", newsletter.id]
        ]
      )
      assert.deepStrictEqual(yield* check(email, "transactional"), { blocked: false, blocks: [] })
    })
  )
})
