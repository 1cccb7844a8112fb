import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Schedule } from "effect"
import { LiveService, send } from "../../LiveService.js"
import { agentWith, chain, once, placed } from "./Calling.js"

const message = (subject: string) => ({
  type: "action.sendMessage",
  config: { channel: "email", to: "ada@example.com", subject, text: "Hello" }
})

/** The bucket of `RATE_LIMIT_SENDS=1`. */
const burst = 2

layer(LiveService.layer({ RATE_LIMIT_SENDS: "1" }), { excludeTestServices: true })("The rate limit of sends", (it) => {
  it.effect("applies to the API and the calls of a process together", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const agent = yield* agentWith(call, chain(message("One"), message("Two"), message("Three")))
      const began = yield* Clock.currentTimeMillis
      const called = Effect.flatMap(placed(call, agent, { sandbox: { speed: 100 } }), ({ id }) =>
        once(call, id, "completed")
      )
      const sends = Effect.repeat(
        Effect.suspend(() => call("POST", "/v1/messages", send())),
        Schedule.spaced("20 millis")
      )
      yield* Effect.raceFirst(called, sends)
      const { body } = yield* call("GET", "/v1/organizations/current")
      const seconds = ((yield* Clock.currentTimeMillis) - began) / 1_000
      assert.isAtLeast(body.messagesUsed, 1)
      // Two buckets would have allowed two bursts.
      assert.isAtMost(body.messagesUsed, burst + Math.ceil(seconds))
    })
  )
})
