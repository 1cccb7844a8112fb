import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { accepted, LiveService, relayed, settled } from "../../LiveService.js"

const blocks = "/v1/email/blocks"

const to = (...addresses: ReadonlyArray<string>) => ({ to: addresses.map((email) => ({ email })) })

/** An address that no other test uses. */
const fresh = (local = "ada") => `${local}.${randomUUID()}@example.com`

/** The statuses of a list of entries. */
const statuses = (entries: ReadonlyArray<{ readonly status: string }>) => entries.map(({ status }) => status).join(" ")

const check = (email: string) =>
  Effect.flatMap(LiveService, ({ call }) =>
    Effect.map(call("GET", `${blocks}/check?email=${email}`), ({ body }) => body)
  )

const logsOf = (blockId: string) =>
  Effect.gen(function* () {
    const { call } = yield* LiveService
    const { body } = yield* call("GET", `${blocks}/logs?limit=100`)
    return body.items.filter((log: { blockId: string }) => log.blockId === blockId).reverse()
  })

layer(LiveService.Shared, { excludeTestServices: true })("A blocked recipient", (it) => {
  it.effect("gets no mail for an accepted message, and no RCPT command is sent; others get it", () =>
    Effect.gen(function* () {
      const { rcptTo, call } = yield* LiveService
      const [email, good] = [fresh(), fresh()]
      const { body: block } = yield* call("POST", blocks, { email })
      const message = yield* settled((yield* accepted(to(email.toUpperCase()))).id, "failed")
      assert.strictEqual(statuses(message.statusHistory), "pending failed")
      assert.strictEqual(message.deliveryAttempts, 0)
      assert.strictEqual(statuses(message.emailMetadata.deliveries), "suppressed")
      assert.deepInclude(message.errorDetails, {
        code: "recipient_blocked",
        details: { blockId: block.id, reason: "manual" },
        retryable: false
      })
      assert.isNotNull(message.failedAt)
      assert.deepInclude((yield* check(email)).block, { id: block.id, hitCount: 1 })
      assert.deepInclude((yield* logsOf(block.id)).at(-1), { action: "blocked", messageId: message.id })
      const timeline = yield* call("GET", `/v1/messages/${message.id}/timeline`)
      assert.include(
        timeline.body.events.map(({ type }: { type: string }) => type),
        "recipient.suppressed"
      )

      const both = yield* settled((yield* accepted(to(email, good))).id, "delivered")
      assert.strictEqual(statuses(both.emailMetadata.deliveries), "suppressed delivered")
      assert.isNull(both.errorDetails)
      const mail = yield* relayed(({ parsed }) => parsed.messageId === both.emailMetadata.messageId)
      assert.deepStrictEqual([...mail.rcptTo], [good])
      assert.notInclude(rcptTo.join(" ").toLowerCase(), email)
    })
  )

  it.effect("is an address that bounced: a second send to it never reaches the relay", () =>
    Effect.gen(function* () {
      const { rcptTo } = yield* LiveService
      const [gone, good] = [fresh("perm550"), fresh()]
      const first = yield* settled((yield* accepted(to(gone, good))).id, "delivered")
      assert.strictEqual(statuses(first.emailMetadata.deliveries), "bounced delivered")
      assert.isFalse((yield* check(good)).blocked)
      const { block } = yield* check(gone)
      assert.deepInclude(block, {
        type: "email",
        value: gone,
        reason: "hard_bounce",
        source: "system",
        sourceMessageId: first.id,
        hitCount: 0
      })
      assert.deepInclude((yield* logsOf(block.id))[0], { action: "added", messageId: first.id })
      const second = yield* settled((yield* accepted(to(gone))).id, "failed")
      assert.strictEqual(statuses(second.statusHistory), "pending failed")
      assert.deepInclude(second.errorDetails.details, { blockId: block.id, reason: "hard_bounce" })
      assert.strictEqual(rcptTo.filter((address) => address === gone).length, 1)
    })
  )
})
