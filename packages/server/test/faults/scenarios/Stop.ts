import type { Stage } from "@switchboard/channels/testing/ScriptedRelay"
import { Deferred, Effect } from "effect"
import { installation, lease } from "../Installation.js"
import type { Scenario } from "../Scenario.js"
import { truthRelay } from "../TruthRelay.js"

const messages = 20

const stages: ReadonlyArray<Stage> = ["RCPT", "dot", "DATA"]

/** A worker is paused for longer than its lease at a stage of a session; another worker takes its messages. */
export const stop: Scenario = {
  name: "stop",
  about: "pauses a worker for longer than its lease while another works",
  rounds: { short: 1, full: 60 },
  run: ({ dice, rounds }) =>
    Effect.gen(function* () {
      const { drained, insist, report, start, truth } = yield* installation()
      const api = yield* start("api")
      const calm = yield* truthRelay(truth)
      let due: { readonly stage: Stage; left: number; readonly reached: Deferred.Deferred<void> } | null = null
      const relay = yield* truthRelay(truth, ({ stage }) => {
        if (due?.stage !== stage || --due.left > 0) return undefined
        Deferred.unsafeDone(due.reached, Effect.void)
        due = null
        // The pause must begin before the reply arrives.
        return { reply: stage === "DATA" ? "354 Go ahead" : "250 2.0.0 OK", after: 50 }
      })
      const stopped = yield* start("worker", { SMTP_URL: `smtp://127.0.0.1:${relay.port}` })
      yield* start("worker", { SMTP_URL: `smtp://127.0.0.1:${calm.port}` })
      let stops = 0
      for (let round = 0; round < rounds; round++) {
        const reached = yield* Deferred.make<void>()
        due = { stage: stages[round % stages.length] ?? "dot", left: 1 + Math.floor(dice(round) * 5), reached }
        const recipients = Array.from({ length: messages }, (_, index) => `t${round}.${index}@faults.test`)
        yield* Effect.forEach(recipients, (recipient) => insist(Effect.succeed(api.baseUrl), recipient), {
          concurrency: 8
        })
        const came = yield* Effect.timeoutOption(Deferred.await(reached), "3 seconds")
        due = null
        if (came._tag === "None") continue
        stops += 1
        yield* Effect.sync(() => stopped.child.kill("SIGSTOP")).pipe(
          Effect.zipRight(Effect.sleep(lease * 2)),
          Effect.ensuring(Effect.sync(() => stopped.child.kill("SIGCONT")))
        )
        yield* drained()
      }
      // The attempts of the paused worker end too.
      yield* Effect.sleep(lease)
      yield* drained()
      return yield* report({ stops })
    })
}
