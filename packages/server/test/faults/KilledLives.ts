import { Array, Deferred, Effect, Option } from "effect"
import { type Dice, pick } from "./Dice.js"
import type { Running } from "./Installation.js"
import { lives } from "./Lives.js"

const slots = 2
const sendsPerLife = 10

/** The time after which a process is killed that has not reached its moment. */
const patience = "10 seconds"

/** A fault at a moment of a peer; "kill" kills the process, and the peer does not respond. */
interface PlannedFault<Moment, Fault> {
  readonly at: Moment
  readonly fault: Fault | "kill"
  /** The fault happens at one of this many times that the peer reaches the moment, after its earlier faults. */
  readonly within: number
}

/** The fault of a peer at a moment; undefined means none. */
export type DecideFault<Moment, Fault> = (at: Moment) => Fault | "kill" | undefined

interface KilledLife<Moment, Fault, E, R> {
  /** The name of the life, on which its dice depend. */
  readonly name: string
  readonly dice: Dice
  readonly end: (running: Running) => Effect.Effect<unknown>
  readonly faults: ReadonlyArray<PlannedFault<Moment, Fault>>
  readonly start: (decide: DecideFault<Moment, Fault>) => Effect.Effect<Running, E, R>
}

/** A process that is killed at its planned fault. Returns whether the peer reached it. */
export const killedLife = <Moment, Fault, E, R>({ dice, end, faults, name, start }: KilledLife<Moment, Fault, E, R>) =>
  Effect.gen(function* () {
    const reached = yield* Deferred.make<void>()
    const plan = faults.map(({ within, ...planned }, place) => ({
      ...planned,
      left: 1 + Math.floor(dice(name, place) * within)
    }))
    const running = yield* start((at) => {
      const next = plan.find((one) => one.at === at && one.left > 0)
      if (next === undefined || --next.left > 0) return undefined
      if (next.fault === "kill") Deferred.unsafeDone(reached, Effect.void)
      return next.fault
    })
    const came = yield* Effect.timeoutOption(Deferred.await(reached), patience)
    yield* end(running)
    return Option.isSome(came)
  }).pipe(Effect.scoped)

type Plan<Moment, Fault> = ReadonlyArray<PlannedFault<Moment, Fault>>

interface KilledWorkers<Moment, Fault, E, R> extends Omit<KilledLife<Moment, Fault, E, R>, "faults" | "name"> {
  readonly rounds: number
  readonly send: (phone: string) => Effect.Effect<unknown>
  /** The moments at which workers are killed, in turn. */
  readonly moments: readonly [Moment, ...Array<Moment>]
  /** Each worker meets one of these before it is killed. */
  readonly faults: readonly [Plan<Moment, Fault>, ...Array<Plan<Moment, Fault>>]
}

/** Workers that deliver to phones until they are killed. Returns the number of kills at the planned moments. */
export const killedWorkers = <Moment, Fault, E, R>({
  faults,
  moments,
  rounds,
  send,
  ...life
}: KilledWorkers<Moment, Fault, E, R>) =>
  Effect.gen(function* () {
    let kills = 0
    yield* lives({ rounds, slots }, (slot, round) =>
      Effect.gen(function* () {
        const place = slot + round * slots
        const phones = Array.makeBy(
          sendsPerLife,
          (index) => `+49151${String(place * sendsPerLife + index).padStart(8, "0")}`
        )
        yield* Effect.forEach(phones, send, { discard: true })
        const kill = { at: moments[place % moments.length] ?? moments[0], fault: "kill" as const, within: 10 }
        const own = pick(faults, life.dice("fault", place))
        const isReached = yield* killedLife({ ...life, name: `worker ${place}`, faults: [...own, kill] })
        if (isReached) kills += 1
      })
    )
    return kills
  })
