import { afterAll, assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeDice } from "./Dice.js"
import { removeEmptyCluster } from "./PostgresCluster.js"
import { violationsOf } from "./Report.js"
import type { Scenario } from "./Scenario.js"

afterAll(removeEmptyCluster)

/** Runs a scenario with few faults as a test. */
export const runShort = (scenario: Scenario) =>
  (scenario.obstacle?.() ? it.scopedLive.skip : it.scopedLive)(`${scenario.name}: ${scenario.about}`, () =>
    Effect.gen(function* () {
      const seed = process.env.SEED ?? "1"
      const dice = makeDice(`${seed}/${scenario.name}`)
      const report = yield* scenario.run({ dice, rounds: scenario.rounds.short })
      assert.deepStrictEqual(violationsOf(report), [], `SEED=${seed}`)
    })
  )
