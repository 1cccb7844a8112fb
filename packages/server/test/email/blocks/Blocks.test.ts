import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { TestDatabase } from "@switchboard/store/testing/TestDatabase"
import { DateTime, Effect, Layer } from "effect"
import { LiveService, send, until } from "../../LiveService.js"
import { dueNow } from "../DueNow.js"

const blocks = "/v1/email/blocks"

const to = (...addresses: ReadonlyArray<string>) => ({ to: addresses.map((email) => ({ email })) })

/** An address that no other test uses. */
const fresh = (local = "ada") => `${local}.${randomUUID()}@example.com`

const statusOf = (id: string) =>
  Effect.flatMap(LiveService, ({ call }) => Effect.map(call("GET", `/v1/messages/${id}`), ({ body }) => body))

const settled = (id: string, status: string) => until(statusOf(id), (message) => message.status === status)

const accepted = (fields: Readonly<Record<string, unknown>>) =>
  Effect.gen(function* () {
    const { call } = yield* LiveService
    const { body, status } = yield* call("POST", "/v1/messages", send(fields))
    assert.strictEqual(status, 201)
    return body
  })

const history = (message: { readonly statusHistory: ReadonlyArray<{ readonly status: string }> }) =>
  message.statusHistory.map(({ status }) => status).join(" ")

const deliveries = (message: {
  readonly emailMetadata: { readonly deliveries: ReadonlyArray<{ readonly status: string }> }
}) => message.emailMetadata.deliveries.map(({ status }) => status).join(" ")

const logsOf = (blockId: string) =>
  Effect.gen(function* () {
    const { call } = yield* LiveService
    const { body } = yield* call("GET", `${blocks}/logs?limit=100`)
    return body.items.filter((log: { blockId: string }) => log.blockId === blockId).reverse()
  })

const Live = Layer.provideMerge(TestDatabase, LiveService.Shared)

layer(Live, { excludeTestServices: true })("A blocked recipient", (it) => {
  it.effect("gets no mail for an accepted message, and no RCPT command is sent", () =>
    Effect.gen(function* () {
      const { rcptTo, call } = yield* LiveService
      const email = fresh()
      const { body: block } = yield* call("POST", blocks, { email })
      const message = yield* settled((yield* accepted(to(email.toUpperCase()))).id, "failed")
      assert.strictEqual(history(message), "pending failed")
      assert.strictEqual(message.deliveryAttempts, 0)
      assert.strictEqual(deliveries(message), "suppressed")
      assert.deepInclude(message.errorDetails, {
        code: "recipient_blocked",
        details: { blockId: block.id, reason: "manual" },
        retryable: false
      })
      assert.isNotNull(message.failedAt)
      assert.notInclude(rcptTo.join(" ").toLowerCase(), email)
      const check = yield* call("GET", `${blocks}/check?email=${email}`)
      assert.deepInclude(check.body.block, { id: block.id, hitCount: 1 })
      assert.deepInclude((yield* logsOf(block.id)).at(-1), { action: "blocked", messageId: message.id })
      const timeline = yield* call("GET", `/v1/messages/${message.id}/timeline`)
      assert.include(
        timeline.body.events.map(({ type }: { type: string }) => type),
        "recipient.suppressed"
      )
    })
  )

  it.effect("gets no mail if the block was added after acceptance", () =>
    Effect.gen(function* () {
      const { rcptTo, call } = yield* LiveService
      const email = fresh()
      const scheduledAt = DateTime.formatIso(DateTime.add(yield* DateTime.now, { hours: 1 }))
      const { id, status } = yield* accepted({ ...to(email), scheduledAt })
      assert.strictEqual(status, "scheduled")
      yield* call("POST", blocks, { email })
      yield* dueNow
      const message = yield* settled(id, "failed")
      assert.strictEqual(history(message), "scheduled pending failed")
      assert.strictEqual(message.errorDetails.code, "recipient_blocked")
      assert.notInclude(rcptTo, email)
    })
  )

  it.effect("gets no retry if the block was added after the first attempt; other recipients are unaffected", () =>
    Effect.gen(function* () {
      const { rcptTo, call } = yield* LiveService
      const [late, good] = [fresh("temp451"), fresh()]
      const alone = yield* accepted(to(late))
      const both = yield* accepted(to(late, good))
      yield* settled(alone.id, "queued")
      yield* settled(both.id, "delivered")
      const { body: block } = yield* call("POST", blocks, { email: late })
      yield* dueNow
      const failed = yield* settled(alone.id, "failed")
      assert.strictEqual(history(failed), "pending processing queued failed")
      const delivered = yield* until(statusOf(both.id), (message) => deliveries(message).includes("suppressed"))
      assert.deepStrictEqual([delivered.status, deliveries(delivered)], ["delivered", "suppressed delivered"])
      assert.strictEqual(rcptTo.filter((address) => address === late).length, 2)
      assert.strictEqual(rcptTo.filter((address) => address === good).length, 1)
      const check = yield* call("GET", `${blocks}/check?email=${late}`)
      assert.deepInclude(check.body.block, { id: block.id, hitCount: 2 })
    })
  )

  it.effect("is skipped, while other recipients get the mail", () =>
    Effect.gen(function* () {
      const { rcptTo, call, mails } = yield* LiveService
      const domain = `${randomUUID()}.example.org`
      yield* call("POST", blocks, { domain })
      const good = fresh()
      const { id } = yield* accepted(to(`ada@${domain}`, good, `bob@sub.${domain}`))
      const message = yield* settled(id, "delivered")
      assert.strictEqual(deliveries(message), "suppressed delivered delivered")
      assert.isNull(message.errorDetails)
      const mail = mails.find(({ parsed }) => parsed.messageId === message.emailMetadata.messageId)
      assert.sameMembers([...(mail?.rcptTo ?? [])], [good, `bob@sub.${domain}`])
      assert.notInclude(rcptTo, `ada@${domain}`)
    })
  )

  it.effect("gets mail after the block has expired or was removed", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const email = fresh()
      const expiresAt = DateTime.formatIso(DateTime.add(yield* DateTime.now, { seconds: 1 }))
      const { body: block } = yield* call("POST", blocks, { email, expiresAt })
      yield* until(call("GET", `${blocks}/check?email=${email}`), ({ body }) => body.blocked === false)
      yield* settled((yield* accepted(to(email))).id, "delivered")
      yield* call("PATCH", `${blocks}/${block.id}`, { expiresAt: null })
      yield* settled((yield* accepted(to(email))).id, "failed")
      yield* call("DELETE", `${blocks}/${block.id}`)
      yield* settled((yield* accepted(to(email))).id, "delivered")
    })
  )
})

layer(LiveService.Shared, { excludeTestServices: true })("A bouncing address", (it) => {
  it.effect("is blocked: a second send to it never reaches the relay", () =>
    Effect.gen(function* () {
      const { rcptTo, call } = yield* LiveService
      const gone = fresh("perm550")
      const first = yield* settled((yield* accepted(to(gone))).id, "bounced")
      const { body } = yield* call("GET", `${blocks}/check?email=${gone}`)
      assert.deepInclude(body.block, {
        type: "email",
        value: gone,
        reason: "hard_bounce",
        source: "system",
        sourceMessageId: first.id,
        hitCount: 0
      })
      assert.deepInclude((yield* logsOf(body.block.id))[0], { action: "added", messageId: first.id })
      const second = yield* settled((yield* accepted(to(gone))).id, "failed")
      assert.strictEqual(history(second), "pending failed")
      assert.deepInclude(second.errorDetails.details, { blockId: body.block.id, reason: "hard_bounce" })
      assert.strictEqual(rcptTo.filter((address) => address === gone).length, 1)
    })
  )

  it.effect("is blocked, while other recipients of the mail are not", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const [gone, good] = [fresh("perm550"), fresh()]
      const message = yield* settled((yield* accepted(to(gone, good))).id, "delivered")
      assert.strictEqual(deliveries(message), "bounced delivered")
      const blocked = (email: string) =>
        Effect.map(call("GET", `${blocks}/check?email=${email}`), ({ body }) => body.blocked)
      assert.deepStrictEqual([yield* blocked(gone), yield* blocked(good)], [true, false])
    })
  )
})
