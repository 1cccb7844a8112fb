import type { Stage } from "@switchboard/channels/testing/ScriptedRelay"
import { databaseTimeFactor } from "@switchboard/services/RequestDeadline"
import { Deferred, Effect, Fiber } from "effect"
import { pick } from "../Dice.js"
import { installation, lease } from "../Installation.js"
import { lives } from "../Lives.js"
import type { Scenario } from "../Scenario.js"
import { type Moment, truthRelay } from "../TruthRelay.js"

const slots = 2

/** Maximum messages that are queued or in progress. */
const outstanding = 20

/** The time after which a worker is killed that has not reached its stage. */
const patience = "10 seconds"

/** Maximum wait of an interrupted message for a worker without faults, in milliseconds. */
const resumeLimit = lease + 5_000 * databaseTimeFactor

/** The stages of a session at which a worker is killed; a mail may arrive twice only after "dot" and "answered". */
const moments = ["connect", "greeting", "EHLO", "MAIL", "RCPT", "DATA", "dot", "answered"] as const

const stageOf = (moment: (typeof moments)[number]): Stage =>
  moment === "connect" ? "greeting" : moment === "answered" ? "dot" : moment

/** Workers deliver to a relay that has each worker killed at a stage of a session. */
export const workerKill: Scenario = {
  name: "worker-kill",
  about: "kills workers at each stage of an SMTP session",
  rounds: { short: 3, full: 600 },
  limits: { resumeMs: resumeLimit },
  run: ({ dice, rounds }) =>
    Effect.gen(function* () {
      const { drained, end, insist, open, report, start, truth } = yield* installation()
      const api = yield* start("api")
      let kills = 0
      let isOver = false
      let serial = 0
      /** The times at which a worker was killed during an attempt for an address. */
      const interrupted = new Map<string, number>()
      const sending = yield* Effect.gen(function* () {
        while (!isOver) {
          for (let more = outstanding - (yield* open); more > 0; more--) {
            yield* insist(Effect.succeed(api.baseUrl), `w${serial++}@faults.test`)
          }
          yield* Effect.sleep("20 millis")
        }
      }).pipe(Effect.fork)

      const life = (slot: number, round: number) =>
        Effect.scoped(
          Effect.gen(function* () {
            const due = yield* Deferred.make<void>()
            const moment = moments[(slot + round * slots) % moments.length] ?? pick(moments, 0)
            const stage = stageOf(moment)
            // The first connections carry few messages; later stages are frequent.
            let left =
              moment === "connect" || moment === "greeting" || moment === "EHLO"
                ? 1
                : 1 + Math.floor(dice(slot, round) * 5)
            const relay = yield* truthRelay(truth, (at: Moment) => {
              if (at.stage !== stage || --left !== 0) return undefined
              if (at.address !== undefined) interrupted.set(at.address, performance.now())
              Deferred.unsafeDone(due, Effect.void)
              return moment === "greeting" || moment === "answered" ? undefined : "silence"
            })
            const worker = yield* start("worker", { SMTP_URL: `smtp://127.0.0.1:${relay.port}` })
            yield* Effect.timeoutOption(Deferred.await(due), patience)
            yield* end(worker)
            kills += 1
          })
        )

      yield* lives({ rounds, slots }, life)
      isOver = true
      yield* Fiber.join(sending)
      const relay = yield* truthRelay(truth)
      yield* start("worker", { SMTP_URL: `smtp://127.0.0.1:${relay.port}` })
      const calmSince = performance.now()
      yield* drained()
      const waits = [...interrupted].flatMap(([address, at]) => {
        const next = truth.of(address).tries.find((tried) => tried > at)
        return next === undefined || next < calmSince ? [] : [next - calmSince]
      })
      const resumeMs = Math.round(Math.max(0, ...waits))
      return yield* report({ kills, resumeMs })
    })
}
