import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { makeOrganization } from "@switchboard/store/testing/messages/Fixtures"
import { Array, Deferred, Duration, Effect, Record } from "effect"
import type { Dice } from "../Dice.js"
import { checkSimulation, maxStep } from "./CheckSimulation.js"
import { type RunningApi, SimulatedCallers } from "./SimulatedCallers.js"
import type { SimulatedProcess } from "./SimulatedProcess.js"
import { beginning, type SimulatedDatabase, SimulatedWorld } from "./SimulatedWorld.js"

const operations = 200
const simulated = Duration.toMillis("7 days")

/** The share of transactions that have a fault. */
const faultRate = 0.04

/** Rounds after which open messages count as stuck. */
const maxRounds = 500

/** The weight of each operation. */
const shares = {
  send: 30,
  repeat: 8,
  contradict: 4,
  schedule: 9,
  cancel: 5,
  moment: 12,
  seconds: 16,
  minutes: 9,
  hours: 3,
  relay: 3,
  killWorker: 3,
  pauseWorker: 5,
  resumeWorkers: 5,
  stopWorker: 2,
  startWorker: 6,
  restartApi: 1,
  stepClock: 2
}
type Operation = keyof typeof shares
const deck = Record.toEntries(shares).flatMap(([name, share]) => Array.replicate(name, share))

/** One simulation: random operations, then the end of all faults, and the comparison a week after the beginning. */
export const simulate = (dice: Dice, index: number, database: SimulatedDatabase) =>
  Effect.gen(function* () {
    let rolls = 0
    const world = new SimulatedWorld(() => dice(index, rolls++), database)
    const stops = new Map<SimulatedProcess, Effect.Effect<void>>()
    const workers = () => [...stops.keys()].filter(({ isAlive }) => isAlive)
    const anyOf = <A>(items: ReadonlyArray<A>) => Array.get(items, world.below(items.length))

    const count = (select: string) =>
      Effect.map(database.query<{ count: number }>(`SELECT (${select})::int AS count`), ([row]) => row?.count ?? 0)

    const startWorker = Effect.suspend(() => {
      const made = world.make("worker")
      return Effect.map(made.worker(), (stop) => void stops.set(made, stop))
    })
    const startApi = Effect.suspend(() => {
      const process = world.make("api")
      return Effect.map(process.api(), (use): RunningApi => ({ process, use }))
    })
    let running = yield* startApi
    /** The API process; restarts it if it was killed. */
    const api = Effect.gen(function* () {
      if (!running.process.isAlive) running = yield* startApi
      return running
    })

    const organization = Effect.gen(function* () {
      const made = yield* Deferred.make<OrganizationId>()
      yield* running.use(Effect.flatMap(makeOrganization(), (id) => Deferred.succeed(made, id)))
      yield* world.settle()
      return yield* Deferred.await(made)
    })
    const organizations = yield* Effect.all([organization, organization])
    const callers = new SimulatedCallers(world, organizations)
    yield* startWorker
    yield* startWorker
    world.faultRate = faultRate

    const send = (key: string, variant: "a" | "b" = "a", delay: number | null = null) =>
      Effect.flatMap(api, (one) => callers.send(one, key, variant, delay))
    const pass = (least: number, span: number) => Effect.sync(() => world.pass(least + world.below(span)))
    const change = (worker: (one: SimulatedProcess) => void) => Effect.map(anyOf(workers()), worker)
    const cancellable = () =>
      [...callers.sent.values()].flatMap((entry) =>
        entry.scheduledAt === null ? [] : [...entry.ids.keys()].map((id) => ({ entry, id }))
      )

    /** Operations without a target are skipped. */
    const perform: { readonly [Name in Operation]: (serial: number) => Effect.Effect<unknown, unknown> } = {
      send: (serial) => send(`k${serial}`),
      repeat: () => Effect.flatMap(anyOf([...callers.sent.keys()]), (key) => send(key)),
      contradict: () => Effect.flatMap(anyOf([...callers.sent.keys()]), (key) => send(key, "b")),
      schedule: (serial) => send(`k${serial}`, "a", 60_000 + Math.floor(172_800_000 * world.roll() ** 3)),
      cancel: () =>
        Effect.flatMap(anyOf(cancellable()), ({ entry, id }) =>
          Effect.flatMap(api, (one) => callers.cancel(one, entry, id))
        ),
      moment: () => pass(1, 500),
      seconds: () => pass(1_000, 20_000),
      minutes: () => pass(60_000, 600_000),
      hours: () => pass(3_600_000, 82_800_000),
      relay: () => Effect.sync(() => world.relay.toggle()),
      killWorker: () => change((one) => world.kill(one)),
      pauseWorker: () => change((one) => one.pause()),
      resumeWorkers: () => Effect.sync(() => workers().map((one) => one.resume())),
      stopWorker: () =>
        Effect.flatMap(anyOf([...stops]), ([one, stop]) => {
          stops.delete(one)
          return stop
        }),
      startWorker: () => (workers().length < 2 ? startWorker : Effect.void),
      restartApi: () =>
        Effect.zipRight(
          Effect.sync(() => world.kill(running.process)),
          api
        ),
      stepClock: () =>
        Effect.map(anyOf([...world.processes]), ({ clock }) => clock.stepTo(world.below(2 * maxStep + 1) - maxStep))
    }

    for (let serial = 0; serial < operations; serial++) {
      yield* pass(1, 100)
      const operation = yield* anyOf(deck)
      world.note(operation)
      yield* Effect.ignore(perform[operation](serial))
      yield* world.settle(world.roll() < 0.5 ? undefined : world.below(7))
    }

    world.repair()
    yield* api
    yield* startWorker
    yield* world.settle()

    // Sends without response are repeated.
    for (const { ids, key } of callers.sent.values()) if (ids.size === 0) yield* send(key)
    yield* world.settle()
    const left = count("(SELECT count(*) FROM message_waiting) + (SELECT count(*) FROM message_queue)")
    const due = database.query<{ at: Date | null }>(
      "SELECT least((SELECT min(due_at) FROM message_waiting), (SELECT min(lease_until) FROM message_queue)) AS at"
    )
    for (let round = 0; round < maxRounds && (yield* left) > 0; round++) {
      const [next] = yield* due
      world.pass(Math.max(1_000, (next?.at?.getTime() ?? 0) - world.now + 1))
      yield* world.settle()
    }
    world.pass(Math.max(0, beginning + simulated - world.now))
    yield* world.settle()
    for (const one of world.processes) world.kill(one)
    const found = yield* checkSimulation(world, organizations, [...callers.sent.values()])
    return { ...found, kills: world.kills, trace: world.trace }
  })
