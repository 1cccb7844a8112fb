import { Effect } from "effect"
import type { simulatedDatabase } from "./SimulatedDatabase.js"
import { SimulatedProcess } from "./SimulatedProcess.js"
import { SimulatedRelay } from "./SimulatedRelay.js"

/** The start time of every simulation. */
export const beginning = Date.UTC(2026, 0, 1)

/** Maximum turns until a world must come to rest. */
const maxTurns = 20_000

export type SimulatedDatabase = Effect.Effect.Success<ReturnType<typeof simulatedDatabase<SimulatedProcess>>>

/** Lets all other pending tasks of this program run once. */
const otherTasks = Effect.async<void>((resume) => void setImmediate(() => resume(Effect.void)))

/** The shared state of a simulation: time, random numbers, relay, and the order of events. */
export class SimulatedWorld {
  now = beginning
  /** The share of transactions that have a fault. */
  faultRate = 0
  kills = 0
  readonly relay = new SimulatedRelay(
    () => this.roll(),
    (what) => this.note(what)
  )
  readonly processes = new Set<SimulatedProcess>()
  /** The log of events with their times; deterministic for a seed. */
  readonly trace: Array<string> = []
  private made = 0

  constructor(
    readonly roll: () => number,
    readonly database: SimulatedDatabase
  ) {}

  /** An integer from 0 to `most - 1`. */
  below(most: number): number {
    return Math.floor(this.roll() * most)
  }

  note(what: string): void {
    this.trace.push(`${this.now - beginning} ${what}`)
  }

  /** Creates a process without starting it. */
  make(kind: "api" | "worker"): SimulatedProcess {
    const made = new SimulatedProcess({
      kind,
      name: `${kind}${this.made++}`,
      now: () => this.now,
      seed: String(this.roll()),
      poolOf: (one) => this.database.poolOf(one, () => this.now),
      transportOf: (isAlive) => this.relay.transport(isAlive)
    })
    this.processes.add(made)
    return made
  }

  /** Kills a process: all its work ends, and its entries stay leased. */
  kill(one: SimulatedProcess): void {
    one.isAlive = false
    this.kills += 1
    this.processes.delete(one)
    const { turns } = this.database
    turns.splice(0, turns.length, ...turns.filter(({ process: of }) => of !== one))
    this.note(`kill ${one.name}`)
  }

  /** Runs all work that needs neither time nor the database. */
  private readonly quiet: Effect.Effect<void> = Effect.gen(this, function* () {
    yield* otherTasks
    yield* otherTasks
    const woken = [...this.processes].filter((one) => !one.isPaused && one.clock.wakeDue())
    if (woken.length > 0) yield* this.quiet
  })

  /**
   * Runs transactions in random order until none is left, or up to a number of them. Transactions of the API run first
   * and are not counted: its waits have a real-time timeout.
   */
  settle(limit = maxTurns): Effect.Effect<void> {
    return Effect.gen(this, function* () {
      const { turns } = this.database
      for (let ran = 0; ran < maxTurns; ) {
        yield* this.quiet
        const ready = turns.filter(({ process: of }) => !of.isPaused)
        const first = ready.filter(({ process: of }) => of.kind === "api")
        if (first.length === 0 && (ran >= limit || ready.length === 0)) return
        const turn = first[this.below(first.length)] ?? ready[this.below(ready.length)]
        if (turn === undefined) return
        if (turn.process.kind === "worker") ran += 1
        turns.splice(turns.indexOf(turn), 1)
        const fault = this.roll() < this.faultRate ? this.fault() : null
        this.note(`turn ${turn.process.name} ${fault?.kind ?? ""} ${fault?.at ?? ""}`)
        if (yield* Effect.promise(() => turn.run(fault))) this.kill(turn.process)
      }
      yield* Effect.dieMessage("The simulation does not come to rest")
    })
  }

  /** Ends all faults; killed processes stay killed. */
  repair(): void {
    this.faultRate = 0
    this.relay.repair()
    for (const one of this.processes) {
      one.resume()
      one.clock.stepTo(0)
    }
  }

  /** Advances the time in one step, as if all processes had been paused. */
  pass(milliseconds: number): void {
    this.now += milliseconds
  }

  private fault() {
    const roll = this.roll()
    const kind = roll < 0.35 ? "before" : roll < 0.65 ? "after" : roll < 0.9 ? "conflict" : "kill"
    return { kind, at: 1 + this.below(6) } as const
  }
}
