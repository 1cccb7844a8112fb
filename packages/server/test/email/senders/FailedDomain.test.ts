import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { TestDatabase } from "@switchboard/store/testing/TestDatabase"
import { Effect, Layer } from "effect"
import { LiveService, send, until } from "../../LiveService.js"

const senders = "/v1/email/senders"

const domainIs = Effect.fnUntraced(function* (domain: string, status: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE email_domains SET status = ${status}, next_check_at = now() + interval '1 day',
    failing_since = ${status === "failed" ? new Date(Date.now() - 72 * 3_600_000) : null} WHERE domain = ${domain}`
})

const emailSend = () => {
  const { email } = send()
  return { to: "ada@example.com", subject: email.subject, html: email.html }
}

const Live = Layer.provideMerge(TestDatabase, LiveService.Shared)

layer(Live, { excludeTestServices: true })("A sender", (it) => {
  it.effect("of a failed domain is refused by both operations, explicit or as default", () =>
    Effect.gen(function* () {
      const { call, sender } = yield* LiveService
      const email = "orders@lapsed.test"
      yield* call("POST", "/v1/email/domains", { domain: "lapsed.test" })
      yield* domainIs("lapsed.test", "verified")
      const { body: made } = yield* call("POST", senders, { email, name: "Orders", isDefault: true })
      assert.deepInclude(made, { verificationStatus: "verified", isDefault: true })
      const asDefault = Effect.suspend(() => call("POST", "/v1/messages", send()))
      assert.strictEqual((yield* asDefault).body.content.from, `Orders <${email}>`)

      yield* domainIs("lapsed.test", "failed")
      const refused = yield* until(asDefault, ({ status }) => status === 422)
      assert.deepStrictEqual(refused.body.fields, {
        "email.from": ["is required: the organization has no verified default sender"]
      })
      const simple = yield* call("POST", "/v1/email/send", emailSend())
      assert.deepStrictEqual([simple.status, Object.keys(simple.body.fields)], [422, ["from"]])
      const named = yield* until(
        Effect.suspend(() => call("POST", "/v1/messages", send({}, { from: email }))),
        ({ status }) => status === 422
      )
      assert.deepStrictEqual(named.body.fields, {
        "email.from": ["must be a verified sender of the organization, or at one of its verified domains"]
      })
      const own = yield* call("POST", "/v1/messages", send({}, { from: sender }))
      assert.strictEqual(own.status, 201)
      const standing = yield* call("GET", `${senders}/${made.id}/verification`)
      assert.strictEqual(standing.body.verificationStatus, "failed")

      yield* domainIs("lapsed.test", "verified")
      yield* until(asDefault, ({ status }) => status === 201)
    })
  )

  it.effect("with an expired confirmation gets a new mail when it is added again", () =>
    Effect.gen(function* () {
      const { call, mails } = yield* LiveService
      const email = "late@waiting.test"
      yield* call("POST", "/v1/email/domains", { domain: "waiting.test" })
      const add = call("POST", senders, { email, name: "Late" })
      const first = yield* add
      assert.strictEqual((yield* add).status, 409)
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE email_senders SET confirmation_expires_at = now() WHERE email = ${email}`
      const second = yield* add
      assert.strictEqual(second.status, 201)
      assert.deepInclude(second.body, { id: first.body.id, verificationStatus: "pending" })
      yield* until(
        Effect.sync(() => mails.filter(({ rcptTo }) => rcptTo.includes(email))),
        (mails) => mails.length === 2
      )
    })
  )
})
