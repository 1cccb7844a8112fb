import { assert, layer } from "@effect/vitest"
import { Array, Effect } from "effect"
import { accepted, caller, LiveService, metricsText, send, until } from "./LiveService.js"
import { runCommand } from "./TestCommand.js"

layer(LiveService.layer({ SMTP_TIMEOUT: "5 minutes", WORKER_CONCURRENCY: "5" }), { excludeTestServices: true })(
  "A relay that does not reply",
  (it) => {
    it.effect("to the mail of one organization does not delay others, and appears in the metrics", () =>
      Effect.gen(function* () {
        const { rcptTo, baseUrl, environment } = yield* LiveService
        const relay = new URL(environment.SMTP_URL ?? "").host
        yield* runCommand(["organizations", "create", "--name", "Other", "--slug", "other"], environment)
        const key = yield* runCommand(["keys", "create", "--name", "k", "--organization", "other"], environment)
        const theirs = caller(baseUrl, /sk_sm_\w+/.exec(key.stdout)?.[0] ?? "")
        yield* Effect.forEach(Array.range(1, 20), (index) => accepted({ to: [{ email: `hang${index}@example.com` }] }))
        // Four fifths of the connections.
        yield* until(Effect.succeed(rcptTo), ({ length }) => length === 4)
        const sent = yield* theirs("POST", "/v1/messages", send())
        yield* until(theirs("GET", `/v1/messages/${sent.body.id}`), ({ body }) => body.status === "delivered")
        assert.lengthOf(
          rcptTo.filter((address) => address.startsWith("hang")),
          4
        )
        yield* until(metricsText, (text) =>
          text.includes(`switchboard_smtp_stalled{use="messages",relay="${relay}"} 4\n`)
        )
      })
    )
  }
)
