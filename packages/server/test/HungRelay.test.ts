import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { caller, LiveService, send, until } from "./LiveService.js"
import { runCommand } from "./TestCommand.js"

const options = { excludeTestServices: true } as const

const hanging = (index: number) => send({ to: [{ email: `hang${index}@example.com` }] })

const sendHanging = Effect.fnUntraced(function* (count: number) {
  const { call } = yield* LiveService
  return yield* Effect.forEach(
    Array.from({ length: count }, (_, index) => hanging(index)),
    (message) => Effect.map(call("POST", "/v1/messages", message), ({ body }) => body.id),
    { concurrency: 4 }
  )
})

const metrics = Effect.flatMap(LiveService, ({ baseUrl }) =>
  Effect.promise(() => fetch(`${baseUrl}/metrics`).then((response) => response.text()))
)

describe("A relay that does not reply", () => {
  layer(
    LiveService.layer({ SMTP_TIMEOUT: "5 minutes", WORKER_CONCURRENCY: "5" }),
    options
  )((it) => {
    it.effect("to the mail of one organization does not delay others, and appears in the metrics", () =>
      Effect.gen(function* () {
        const { rcptTo, baseUrl, environment } = yield* LiveService
        yield* runCommand(["organizations", "create", "--name", "Other", "--slug", "other"], environment)
        const key = yield* runCommand(["keys", "create", "--name", "k", "--organization", "other"], environment)
        const theirs = caller(baseUrl, /sk_sm_\w+/.exec(key.stdout)?.[0] ?? "")
        yield* sendHanging(20)
        // Four fifths of the connections.
        yield* until(Effect.succeed(rcptTo), ({ length }) => length === 4)
        const sent = yield* theirs("POST", "/v1/messages", send())
        yield* until(theirs("GET", `/v1/messages/${sent.body.id}`), ({ body }) => body.status === "delivered")
        assert.lengthOf(
          rcptTo.filter((address) => address.startsWith("hang")),
          4
        )
        yield* until(metrics, (text) => text.includes('switchboard_smtp_stalled{use="messages"} 4\n'))
      })
    )
  })

  layer(
    LiveService.layer({ SMTP_TIMEOUT: "300 millis" }),
    options
  )((it) => {
    it.effect("opens the circuit breaker, and waiting messages use up no retry", () =>
      Effect.gen(function* () {
        const { call } = yield* LiveService
        // More than the worker attempts at once.
        yield* sendHanging(50)
        const { body } = yield* until(call("GET", "/v1/messages?limit=100"), ({ body: { items } }) =>
          items.some(
            (item: { errorDetails: { code: string } | null }) => item.errorDetails?.code === "relay_unavailable"
          )
        )
        for (const { errorDetails, retryCount } of body.items) {
          if (errorDetails?.code === "relay_unavailable") assert.strictEqual(retryCount, 0)
          // RCPT has no reply. On a slow machine, the reply to MAIL can be late too.
          if (errorDetails?.code === "deferred")
            assert.match(errorDetails.message, /No reply at (?:MAIL|RCPT) within 300ms/)
        }
      })
    )
  })
})
