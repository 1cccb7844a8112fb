import { Effect } from "effect"
import type { simulatedDatabase } from "./SimulatedDatabase.js"
import { SimulatedProcess } from "./SimulatedProcess.js"
import { SimulatedRelay } from "./SimulatedRelay.js"

/** When every simulation begins. */
export const beginning = Date.UTC(2026, 0, 1)

/** Turns after which a world that never comes to rest is given up. */
const maxTurns = 20_000

export type SimulatedDatabase = Effect.Effect.Success<ReturnType<typeof simulatedDatabase<SimulatedProcess>>>

/** All other tasks of this program run once. */
const otherTasks = Effect.async<void>((resume) => void setImmediate(() => resume(Effect.void)))

/** Everything that one simulation shares: its time, its chance, its relay, and the order in which things happen. */
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
  /** What happened, and when: the same for the same chance. */
  readonly trace: Array<string> = []
  private made = 0

  constructor(
    readonly roll: () => number,
    readonly database: SimulatedDatabase,
    private readonly batch: number
  ) {}

  /** A number from 0 to `most`, without it. */
  below(most: number): number {
    return Math.floor(this.roll() * most)
  }

  note(what: string): void {
    this.trace.push(`${this.now - beginning} ${what}`)
  }

  /** A process that has not started. */
  make(kind: "api" | "worker"): SimulatedProcess {
    const made = new SimulatedProcess({
      kind,
      name: `${kind}${this.made++}`,
      now: () => this.now,
      seed: String(this.roll()),
      batch: this.batch,
      poolOf: (one) => this.database.poolOf(one, () => this.now),
      transportOf: (isAlive) => this.relay.transport(isAlive)
    })
    this.processes.add(made)
    return made
  }

  /** Ends a process where it stands: nothing of it goes on, and what it holds stays leased. */
  kill(one: SimulatedProcess): void {
    one.isAlive = false
    this.kills += 1
    this.processes.delete(one)
    const { turns } = this.database
    turns.splice(0, turns.length, ...turns.filter(({ process: of }) => of !== one))
    this.note(`kill ${one.name}`)
  }

  /** Runs everything that needs neither time nor the database. */
  private readonly quiet: Effect.Effect<void> = Effect.gen(this, function* () {
    yield* otherTasks
    yield* otherTasks
    const woken = [...this.processes].filter((one) => !one.isPaused && one.clock.wakeDue())
    if (woken.length > 0) yield* this.quiet
  })

  /**
   * Lets transactions run, in an order of chance, until there are no more, or so many have run. Those of the API come
   * first and are not counted: its waits have a timeout in real time.
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

  /** Ends all faults; killed processes stay so. */
  repair(): void {
    this.faultRate = 0
    this.relay.repair()
    for (const one of this.processes) {
      one.resume()
      one.clock.stepTo(0)
    }
  }

  /** Lets time pass in one step, as if all processes had stood still. */
  pass(milliseconds: number): void {
    this.now += milliseconds
  }

  private fault() {
    const roll = this.roll()
    const kind = roll < 0.35 ? "before" : roll < 0.65 ? "after" : roll < 0.9 ? "conflict" : "kill"
    return { kind, at: 1 + this.below(6) } as const
  }
}
