import type { Effect, Scope } from "effect"
import type { Dice } from "./Dice.js"
import type { Report } from "./Report.js"

export interface ScenarioOptions {
  readonly dice: Dice
  /** The number of faults, in the unit of the scenario. */
  readonly rounds: number
}

/** A bounded run of processes under one kind of fault. */
export interface Scenario {
  readonly name: string
  /** The faults, for the list of scenarios. */
  readonly about: string
  readonly rounds: { readonly short: number; readonly full: number }
  /** The maximum number of rounds of one process. More are split between processes, each with its own installation. */
  readonly maxRounds?: number
  /** Maximum values of figures that also depend on the machine: `npm run faults` checks them, tests do not. */
  readonly limits?: Readonly<Record<string, number>>
  /** Why it can't run on this machine; null if it can. */
  readonly obstacle?: () => string | null
  readonly run: (options: ScenarioOptions) => Effect.Effect<Report, unknown, Scope.Scope>
}

/** The figures of a report above their limits. */
export const overLimits = ({ limits = {} }: Scenario, { figures }: Report): ReadonlyArray<string> =>
  Object.entries(limits).flatMap(([name, limit]) => {
    const value = figures[name] ?? 0
    return value > limit ? [`${name}: ${value}, above ${limit}`] : []
  })
