import { Deferred, Effect } from "effect"
import { installation } from "../Installation.js"
import type { Scenario } from "../Scenario.js"
import { truthRelay } from "../TruthRelay.js"

const messages = 30

/** After this number of lost workers a begun message may fail as the suspected cause. */
const lossesThatEnd = 5

/**
 * Workers with messages for a relay that never greets are killed one after the other. A worker begins one message at a
 * time and opens a connection for it; the others wait in its buffer.
 */
export const bufferedKill: Scenario = {
  name: "buffered-kill",
  about: "kills workers that hold messages for a relay that never greets",
  rounds: { short: 3, full: 12 },
  run: ({ rounds }) =>
    Effect.gen(function* () {
      const { drained, end, insist, report, start, truth } = yield* installation({
        LEASE_DURATION: "500 millis",
        WORKER_CONCURRENCY: "1"
      })
      const api = yield* start("api")
      const sends = Array.from({ length: messages }, (_, index) => `b${index}@faults.test`)
      yield* Effect.forEach(sends, (recipient) => insist(Effect.succeed(api.baseUrl), recipient), { concurrency: 8 })
      let connections = 0
      for (let round = 0; round < rounds; round++) {
        const came = yield* Deferred.make<void>()
        const silent = yield* truthRelay(truth, ({ stage }) => {
          if (stage !== "greeting") return undefined
          connections += 1
          Deferred.unsafeDone(came, Effect.void)
          return "silence"
        })
        const worker = yield* start("worker", { SMTP_URL: `smtp://127.0.0.1:${silent.port}` })
        yield* Effect.timeoutOption(Deferred.await(came), "10 seconds")
        yield* end(worker)
      }
      const relay = yield* truthRelay(truth)
      yield* start("worker", { SMTP_URL: `smtp://127.0.0.1:${relay.port}` })
      yield* drained()
      const found = yield* report({ kills: rounds, connections })
      // The attempt was a connection without recipient.
      const tried = Math.min(found.endedWithoutTry, Math.floor(connections / lossesThatEnd))
      return { ...found, endedWithoutTry: found.endedWithoutTry - tried, lost: found.lost - tried }
    })
}
