import type { Effect, Scope } from "effect"
import type { Dice } from "./Dice.js"
import type { Report } from "./Report.js"

export interface ScenarioOptions {
  readonly dice: Dice
  /** How many faults, in the scenario's own unit. */
  readonly rounds: number
}

/** A bounded run of real processes under one kind of fault. */
export interface Scenario {
  readonly name: string
  /** What it does to them. */
  readonly about: string
  readonly rounds: { readonly short: number; readonly full: number }
  /** The largest values of figures that depend on the machine as well: `npm run faults` checks them, tests do not. */
  readonly limits?: Readonly<Record<string, number>>
  /** Why it can't be run here; null if it can. */
  readonly obstacle?: () => string | null
  readonly run: (options: ScenarioOptions) => Effect.Effect<Report, unknown, Scope.Scope>
}

/** The figures of a report that are beyond their limits. */
export const overLimits = ({ limits = {} }: Scenario, { figures }: Report): ReadonlyArray<string> =>
  Object.entries(limits).flatMap(([name, limit]) => {
    const value = figures[name] ?? 0
    return value > limit ? [`${name}: ${value}, above ${limit}`] : []
  })
