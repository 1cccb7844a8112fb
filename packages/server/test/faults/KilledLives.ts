import { Array, Deferred, Effect, Option, Redacted } from "effect"
import { databaseProxy, type Passage } from "../DatabaseProxy.js"
import { type Dice, pick } from "./Dice.js"
import type { Running } from "./Installation.js"
import { lives } from "./Lives.js"

const slots = 2
const sendsPerLife = 10

/** The time after which a process is killed that has not reached its moment. */
const patience = "30 seconds"

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

/** The moments of the statement that stores events of a provider: before it is executed, and before its response. */
export type StoreMoment = "storing" | "stored"

/** The database URL of a process whose events are stored with these faults. */
export const eventProxy = Effect.fnUntraced(function* (address: string, decide: DecideFault<StoreMoment, unknown>) {
  const { proxy, url } = yield* databaseProxy(Redacted.make(address))
  yield* proxy.judgeStatements((statement): Passage => {
    if (!statement.includes("SELECT CASE WHEN g.number")) return "pass"
    if (decide("storing") !== undefined) return "before"
    return decide("stored") !== undefined ? "after" : "pass"
  })
  return url
})

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

type Kill<Moment> = Pick<PlannedFault<Moment, never>, "at" | "within">
type Plan<Moment, Fault> = ReadonlyArray<PlannedFault<Moment, Fault>>

interface KilledWorkers<Moment, Fault, E, R> extends Omit<KilledLife<Moment, Fault, E, R>, "faults" | "name"> {
  readonly rounds: number
  readonly send: (phone: string) => Effect.Effect<unknown>
  /** The moments at which workers are killed, in turn. */
  readonly kills: readonly [Kill<Moment>, ...Array<Kill<Moment>>]
  /** Each worker meets one of these before it is killed. */
  readonly faults: readonly [Plan<Moment, Fault>, ...Array<Plan<Moment, Fault>>]
}

/** Workers that deliver to phones until they are killed. Returns the number of kills at each moment. */
export const killedWorkers = <Moment extends string, Fault, E, R>({
  faults,
  kills,
  rounds,
  send,
  ...life
}: KilledWorkers<Moment, Fault, E, R>) =>
  Effect.gen(function* () {
    const reached: Record<string, number> = Object.fromEntries(kills.map(({ at }) => [at, 0]))
    yield* lives({ rounds, slots }, (slot, round) =>
      Effect.gen(function* () {
        const place = slot + round * slots
        const phones = Array.makeBy(
          sendsPerLife,
          (index) => `+49151${String(place * sendsPerLife + index).padStart(8, "0")}`
        )
        yield* Effect.forEach(phones, send, { discard: true })
        const own = pick(faults, life.dice("fault", place))
        const { at, within } = kills[place % kills.length] ?? kills[0]
        const plan = [...own, { at, within, fault: "kill" as const }]
        const isReached = yield* killedLife({ ...life, name: `worker ${place}`, faults: plan })
        if (isReached) reached[at] = (reached[at] ?? 0) + 1
      })
    )
    return reached
  })

/** The moments at which no process was killed. */
export const unreached = (kills: Readonly<Record<string, number>>): ReadonlyArray<string> =>
  Object.entries(kills).flatMap(([at, count]) => (count === 0 ? [`no process was killed at "${at}"`] : []))
