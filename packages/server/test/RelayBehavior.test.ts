import { assert, layer } from "@effect/vitest"
import { scriptedRelay } from "@switchboard/channels/testing/ScriptedRelay"
import { Effect, Layer } from "effect"
import { LiveService, type ServiceResponse, send, until } from "./LiveService.js"
import { outputOf } from "./TestCommand.js"

const settings = { DNS_SERVERS: "127.0.0.1:9", RETRY_SCHEDULE: "1 hour" }

const sent = (id: string) =>
  Effect.flatMap(LiveService, ({ call }) =>
    until(call("GET", `/v1/messages/${id}`), ({ body }) => !["pending", "processing"].includes(body.status))
  )

/** A service with a relay that replies to the next envelope before it replies to a mail, at once. */
const OutOfOrder = Layer.unwrapScoped(
  Effect.map(
    scriptedRelay({ dot: { reply: "250 2.0.0 Ok: queued as 4XyZ", after: 20, isConcurrent: true } }),
    ({ port }) => LiveService.layer({ ...settings, SMTP_URL: `smtp://127.0.0.1:${port}`, WORKER_CONCURRENCY: "2" })
  )
)

layer(OutOfOrder, { excludeTestServices: true })("A relay that replies out of order", (it) => {
  it.effect("gets every message at the first attempt, and is reported", () =>
    Effect.gen(function* () {
      const { call, environment } = yield* LiveService
      const { body } = yield* call("POST", "/v1/messages/batch", {
        messages: Array.from({ length: 12 }, () => send())
      })
      for (const { message } of body.results) {
        const { body: found } = yield* sent(message.id)
        assert.deepStrictEqual(
          [found.status, found.retryCount, found.deliveryAttempts, found.providerMessageId],
          ["delivered", 0, 1, "4XyZ"]
        )
      }
      const relay = environment.SMTP_URL?.replace("smtp://", "")
      const subject = new RegExp(`^Replies of relay ${relay}: out of order at `)
      const isReported = ({ body }: ServiceResponse) =>
        body.findings.some((one: { readonly subject: string }) => subject.test(one.subject))
      const { body: system } = yield* until(call("GET", "/v1/system"), isReported)
      assert.include(
        system.findings.find((one: { readonly subject: string }) => subject.test(one.subject)),
        { level: "warning" }
      )
      assert.match(
        yield* outputOf(["doctor"], environment),
        /^warning +Replies of relay .*\n +The relay offers PIPELINING/m
      )
    })
  )
})

/** A service with a relay that takes three recipients in a transaction. */
const Limited = Layer.unwrapScoped(
  Effect.gen(function* () {
    let taken = 0
    const { port } = yield* scriptedRelay({
      MAIL: () => {
        taken = 0
        return "250 2.1.0 OK"
      },
      RCPT: () => (++taken > 3 ? "452 4.5.3 Too many recipients" : "250 2.1.5 OK")
    })
    return LiveService.layer({ ...settings, SMTP_URL: `smtp://127.0.0.1:${port}` })
  })
)

layer(Limited, { excludeTestServices: true })("A relay with a limit of recipients", (it) => {
  it.effect("gets a message for all its recipients in one attempt", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const to = Array.from({ length: 50 }, (_, place) => ({ email: `p${place}@example.com` }))
      const { body } = yield* call("POST", "/v1/messages", send({ to }))
      const { body: found } = yield* sent(body.id)
      assert.deepStrictEqual([found.status, found.retryCount, found.deliveryAttempts], ["delivered", 0, 1])
      assert.isTrue(
        found.emailMetadata.deliveries.every(({ status }: { readonly status: string }) => status === "delivered")
      )
    })
  )
})
