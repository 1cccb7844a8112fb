import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { freePort } from "@switchboard/domain/testing/FreePort"
import { startProcess } from "@switchboard/server/demo/ServerProcess"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Context, Effect, Layer, Redacted } from "effect"
import { caller, type ServiceResponse, send, temporaryFolder, until } from "../LiveService.js"
import { base } from "../ServiceProcess.js"

/** The service with its local mailbox, at a port that links in mail contain. */
class Mailbox extends Context.Tag("test/Mailbox")<Mailbox, { readonly baseUrl: string }>() {
  static readonly Live = Layer.scoped(
    Mailbox,
    Effect.gen(function* () {
      const environment = {
        ...base(yield* temporaryFolder),
        PORT: String(yield* freePort),
        DATABASE_URL: Redacted.value(yield* TestDatabaseUrl),
        DNS_SERVERS: "127.0.0.1:9"
      }
      return yield* startProcess(environment)
    })
  ).pipe(Layer.provide(TestDatabaseUrl.Live))
}

const call = (method: string, path: string, body?: unknown, key?: string) =>
  Effect.flatMap(Mailbox, ({ baseUrl }) => caller(baseUrl, key)(method, path, body))

const simulate = (mail: { readonly id: string }, body: unknown, key?: string) =>
  call("POST", `/v1/mailbox/${mail.id}/simulate`, body, key)

const becomes = (id: string, status: string) =>
  Effect.map(
    until(call("GET", `/v1/messages/${id}`), ({ body }: ServiceResponse) => body.status === status),
    ({ body }) => body
  )

/** Sends a message to new recipients, and returns its mail from the mailbox. */
const arrived = Effect.fnUntraced(function* (email: Readonly<Record<string, unknown>> = {}, count = 1) {
  const to = Array.from({ length: count }, () => ({ email: `${randomUUID()}@example.com` }))
  const { body: message } = yield* call("POST", "/v1/messages", send({ to }, email))
  yield* becomes(message.id, "delivered")
  const { body } = yield* call("GET", "/v1/mailbox?limit=100")
  const mail = body.items.find(
    ({ messageId }: { readonly messageId: string }) => messageId === message.emailMetadata.messageId
  )
  return { mail, message, recipients: to.map(({ email }) => email) }
})

const blockReason = (email: string) =>
  Effect.map(call("GET", `/v1/email/blocks/check?email=${email}`), ({ body }) => body.block?.reason)

const eventTypes = (id: string) =>
  Effect.map(
    call("GET", `/v1/messages/${id}/timeline`),
    ({ body }): ReadonlyArray<string> => body.events.map(({ type }: { readonly type: string }) => type)
  )

layer(Mailbox.Live, { excludeTestServices: true, timeout: "300 seconds" })("A simulation", (it) => {
  it.effect("of a bounce comes back as a hard bounce does, and blocks all recipients", () =>
    Effect.gen(function* () {
      const { mail, message, recipients } = yield* arrived({}, 2)
      const { body, status } = yield* simulate(mail, { kind: "bounce" })
      assert.deepStrictEqual([status, body], [200, { success: true }])
      const { emailMetadata, errorDetails } = yield* becomes(message.id, "bounced")
      assert.deepInclude(errorDetails, { code: "delivery_failed", retryable: false })
      assert.deepInclude(errorDetails.details, { smtpCode: 550, enhancedCode: "5.1.1", class: "permanent" })
      assert.deepStrictEqual(
        emailMetadata.deliveries.map(({ status }: { readonly status: string }) => status),
        ["bounced", "bounced"]
      )
      assert.deepStrictEqual(yield* Effect.forEach(recipients, blockReason), ["hard_bounce", "hard_bounce"])
      assert.include(yield* eventTypes(message.id), "message.bounced")
    })
  )

  it.effect("of a complaint is recorded as a report of a mailbox provider, and blocks the recipient", () =>
    Effect.gen(function* () {
      const { mail, message, recipients } = yield* arrived()
      assert.strictEqual((yield* simulate(mail, { kind: "complaint" })).status, 200)
      yield* becomes(message.id, "complained")
      assert.deepStrictEqual(yield* Effect.forEach(recipients, blockReason), ["complaint"])
      assert.include(yield* eventTypes(message.id), "message.complained")
    })
  )

  it.effect("of reading records the open of a tracked mail", () =>
    Effect.gen(function* () {
      const { mail, message } = yield* arrived({ trackOpens: true })
      assert.strictEqual((yield* simulate(mail, { kind: "read" })).status, 200)
      const { readAt } = yield* becomes(message.id, "read")
      assert.isString(readAt)
      assert.include(yield* eventTypes(message.id), "message.read")
    })
  )

  it.effect("is refused without a pixel, for an unknown mail, another event, or without the permission to send", () =>
    Effect.gen(function* () {
      const { mail, message } = yield* arrived()
      const untracked = yield* simulate(mail, { kind: "read" })
      assert.deepInclude(untracked.body, { _tag: "ConflictError", resource: "mail" })
      assert.strictEqual(untracked.status, 409)
      assert.match(untracked.body.message, /no tracking pixel/)
      const unknown = yield* simulate({ id: randomUUID() }, { kind: "bounce" })
      assert.deepStrictEqual([unknown.status, unknown.body._tag], [404, "ResourceNotFoundError"])
      for (const body of [{ kind: "opened" }, {}, { kind: ["read"] }]) {
        const refused = yield* simulate(mail, body)
        assert.deepStrictEqual([refused.status, Object.keys(refused.body.fields)], [422, ["kind"]])
      }
      const { body: viewer } = yield* call("POST", "/v1/api-keys", { name: "viewer", roleName: "viewer" })
      assert.strictEqual((yield* simulate(mail, { kind: "bounce" }, viewer.key)).status, 403)
      assert.strictEqual((yield* call("GET", `/v1/messages/${message.id}`)).body.status, "delivered")
    })
  )
})
