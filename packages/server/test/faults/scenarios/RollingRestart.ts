import { Effect, Fiber } from "effect"
import { installation, type Running } from "../Installation.js"
import type { Scenario } from "../Scenario.js"
import { truthRelay } from "../TruthRelay.js"

/** The program that the first processes run instead of this release: then the scenario is a rolling upgrade. */
const previousProgram = process.env.PREVIOUS_PROGRAM

const callers = 4

/**
 * Two api and two worker processes are replaced one by one with SIGTERM while callers send. A caller without connection
 * uses the other process, like a load balancer: no response is cut off, and none is a 503. `reset` counts the connections
 * that the kernel resets between the last accepted one and the end of the listener.
 */
export const rollingRestart: Scenario = {
  name: "rolling-restart",
  about: "replaces all processes under load, one by one",
  rounds: { short: 1, full: 25 },
  run: ({ rounds }) =>
    Effect.gen(function* () {
      const { drained, end, report, sendTo, start, truth } = yield* installation({ SHUTDOWN_GRACE: "10 seconds" })
      const relay = yield* truthRelay(truth)
      const smtp = { SMTP_URL: `smtp://127.0.0.1:${relay.port}` }
      const startFirst = (command: "api" | "worker") => start(command, smtp, previousProgram)
      const apis = [yield* startFirst("api"), yield* startFirst("api")]
      const workers = [yield* startFirst("worker"), yield* startFirst("worker")]
      const violations: Array<string> = []
      let serial = 0
      let isOver = false
      let turn = 0
      let elsewhere = 0
      let reset = 0
      const cuts: Array<string> = []

      /** Sends one message, to the next process until one accepts it. */
      const sendOnce = (recipient: string): Effect.Effect<void> =>
        Effect.gen(function* () {
          const api = apis[turn++ % apis.length]
          if (api === undefined) return
          const { error, status } = yield* sendTo(api.baseUrl, recipient)
          if (status === 201) return
          if (error === "ECONNREFUSED") elsewhere += 1
          else if (error === "ECONNRESET") reset += 1
          else cuts.push(`${error ?? status}`)
          yield* Effect.delay(sendOnce(recipient), "10 millis")
        })
      const calling = yield* Effect.forEach(
        Array.from({ length: callers }),
        () =>
          Effect.repeat(
            Effect.suspend(() => Effect.delay(sendOnce(`u${serial++}@faults.test`), "10 millis")),
            { until: () => isOver }
          ),
        { concurrency: "unbounded", discard: true }
      ).pipe(Effect.fork)

      const replace = (running: Array<Running>, index: number, command: "api" | "worker") =>
        Effect.gen(function* () {
          const old = running[index]
          if (old === undefined) return
          const code = yield* end(old, "SIGTERM")
          if (code !== 0) violations.push(`a stopped ${command} ended with ${code}`)
          running[index] = yield* start(command, smtp)
        })
      for (let round = 0; round < rounds; round++) {
        for (const index of [0, 1]) {
          yield* replace(apis, index, "api")
          yield* replace(workers, index, "worker")
        }
      }
      isOver = true
      yield* Fiber.join(calling)
      yield* drained()
      const found = yield* report({ stops: rounds * 4, elsewhere, reset, cut: cuts.length }, violations)
      return {
        ...found,
        violations: [
          ...found.violations,
          ...cuts.map((error) => `a request was cut: ${error}`),
          ...(found.duplicated === 0 ? [] : [`${found.duplicated} mails were sent twice`])
        ]
      }
    })
}
