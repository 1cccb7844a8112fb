import { Deferred, Effect, Fiber, Redacted } from "effect"
import { databaseProxy, type Passage } from "../../DatabaseProxy.js"
import { pick } from "../Dice.js"
import { installation, type Running } from "../Installation.js"
import { lives } from "../Lives.js"
import type { Scenario } from "../Scenario.js"
import { truthRelay } from "../TruthRelay.js"

const slots = 2
const callers = 16
const sendsPerKill = 27

/** Maximum time that a kill waits for its statement, in milliseconds. */
const patience = 1_000

const moments = ["random", "before", "after"] as const

/**
 * Callers send with idempotency keys while processes are killed: at random times, when the accepting statement is sent
 * to the database, and when its response arrives. A fifth of the processes also deliver.
 */
export const apiKill: Scenario = {
  name: "api-kill",
  about: "kills api and serve at random times and around the commit of a send",
  rounds: { short: 2, full: 1_000 },
  maxRounds: 500,
  run: ({ dice, rounds }) =>
    Effect.gen(function* () {
      const { cluster, drained, end, insist, report, start, truth } = yield* installation()
      const relay = yield* truthRelay(truth)
      const smtp = { SMTP_URL: `smtp://127.0.0.1:${relay.port}` }
      const live = new Map<number, string>()
      let kills = 0
      let serial = 0
      let isOver = false
      let turn = 0
      /** Opens when callers may send more, or end. */
      const mayCall = yield* Effect.makeLatch()

      const someApi: Effect.Effect<string> = Effect.suspend(() => {
        const baseUrl = [...live.values()][turn++ % Math.max(1, live.size)]
        return baseUrl === undefined ? Effect.delay(someApi, "25 millis") : Effect.succeed(baseUrl)
      })
      const calling = yield* Effect.forEach(
        Array.from({ length: callers }),
        () =>
          Effect.gen(function* () {
            while (!isOver) {
              if (serial >= sendsPerKill * (kills + slots)) {
                mayCall.unsafeClose()
                yield* mayCall.await
              } else yield* insist(someApi, `s${serial++}@faults.test`)
            }
          }),
        { concurrency: "unbounded", discard: true }
      ).pipe(Effect.fork)

      const life = (slot: number, round: number) =>
        Effect.scoped(
          Effect.gen(function* () {
            const { proxy, url } = yield* databaseProxy(Redacted.make(cluster.url))
            const command = dice("command", slot, round) < 0.2 ? "serve" : "api"
            const running = yield* start(command, { ...smtp, DATABASE_URL: url })
            const killed = yield* Deferred.make<void>()
            const kill = Effect.zipRight(end(running), Deferred.succeed(killed, undefined))
            const moment = pick(moments, dice("moment", slot, round))
            let left = 1 + Math.floor(dice("statement", slot, round) * 4)
            if (moment !== "random") {
              yield* proxy.judgeStatements((statement): Passage => {
                if (!statement.includes("prepared accept_email") || --left !== 0) return "pass"
                if (moment === "before") Effect.runFork(kill)
                else setTimeout(() => Effect.runFork(kill), Math.floor(dice("after", slot, round) * 3))
                return moment
              })
            }
            live.set(slot, running.baseUrl)
            const latest = moment === "random" ? dice("time", slot, round) * 600 : patience
            yield* Effect.raceFirst(Deferred.await(killed), Effect.zipRight(Effect.sleep(latest), kill))
            live.delete(slot)
            kills += 1
            mayCall.unsafeOpen()
          })
        )

      yield* lives({ rounds, slots }, life)
      const last: Running = yield* start("serve", smtp)
      live.set(0, last.baseUrl)
      isOver = true
      mayCall.unsafeOpen()
      yield* Fiber.join(calling)
      yield* drained()
      return yield* report({ kills })
    })
}
