import { createHash } from "node:crypto"
import { join } from "node:path"
import { Array, Effect, Number, Record } from "effect"
import { temporaryFolder } from "../../ServiceCalls.js"
import { newCluster } from "../PostgresCluster.js"
import type { Scenario } from "../Scenario.js"
import { simulate } from "../simulation/Simulate.js"
import { simulatedDatabase } from "../simulation/SimulatedDatabase.js"
import type { SimulatedProcess } from "../simulation/SimulatedProcess.js"

const hash = (trace: ReadonlyArray<string>) => createHash("sha256").update(trace.join("\n")).digest("hex")

const difference = (first: ReadonlyArray<string>, again: ReadonlyArray<string>) => {
  if (hash(first) === hash(again)) return []
  const line = first.findIndex((what, place) => what !== again[place])
  return [`the same seed gave another trace: "${first[line]}", and then "${again[line]}"`]
}

/** The services on simulated time with a PostgreSQL database; each round is a simulation. The first runs twice. */
export const simulation: Scenario = {
  name: "simulation",
  about: "simulates weeks in one process: kills, pauses, clock steps, failing statements, a failing relay",
  rounds: { short: 2, full: 1_000 },
  // Effect keeps the fibers of killed simulated processes, so that the memory of a process grows.
  maxRounds: 100,
  run: ({ dice, rounds }) =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const cluster = yield* newCluster(join(folder, "database"))
      const database = yield* simulatedDatabase<SimulatedProcess>(cluster, "simulation")
      const first = yield* simulate(dice, 0, database)
      const others = yield* Effect.forEach(Array.drop(Array.range(0, rounds - 1), 1), (index) =>
        Effect.map(simulate(dice, index, database), ({ trace: _, ...result }) => result)
      )
      const again = yield* simulate(dice, 0, database)
      const results = [first, ...others]
      const sum = (
        name: "acked" | "duplicated" | "endedWithoutTry" | "kills" | "lost" | "repeats" | "sessions" | "unflagged"
      ) => Number.sumAll(results.map((result) => result[name]))
      const answers = Array.groupBy(
        results.flatMap((result) => result.answers),
        (status) => status
      )
      return {
        acked: sum("acked"),
        lost: sum("lost"),
        duplicated: sum("duplicated"),
        unflagged: sum("unflagged"),
        endedWithoutTry: sum("endedWithoutTry"),
        answers: Record.map(answers, Array.length),
        figures: { sessions: sum("sessions"), repeats: sum("repeats"), kills: sum("kills") },
        violations: [
          ...results.flatMap(({ violations }, index) => violations.map((what) => `simulation ${index}: ${what}`)),
          ...difference(first.trace, again.trace)
        ]
      }
    })
}
