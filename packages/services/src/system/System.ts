import {
  type DestinationState,
  type Finding,
  type RelayState,
  SystemStatus
} from "@switchboard/domain/system/SystemStatus"
import { Array, Context, DateTime, Duration, Effect, Order } from "effect"
import { QueueDepths } from "../queues/WorkQueue.js"
import { sharedLookup } from "../SharedLookup.js"

/** The release, the relays and the checks of the running process. */
export class SystemInspection extends Context.Tag("services/SystemInspection")<
  SystemInspection,
  {
    /** The release of the service. */
    readonly version: string
    /** The relays that this process sends to; none without a worker. */
    readonly relays: Effect.Effect<ReadonlyArray<RelayState>>
    /** The destinations that this process sends mail to. */
    readonly destinations: Effect.Effect<ReadonlyArray<DestinationState>>
    /** Makes all checks of `switchboard doctor`. They send DNS queries and connect to the relay. */
    readonly check: Effect.Effect<ReadonlyArray<Finding>>
  }
>() {}

/** The checks are repeated after this time: they send DNS queries and connect to the relay. */
const checkInterval = Duration.minutes(1)

/** The maximum number of destinations in a status. */
const maxDestinations = 50

/** Paused destinations first, then those with fewer connections than usual, then the busiest. */
const byUrgency = Order.combineAll([
  Order.mapInput(Order.boolean, ({ state }: DestinationState) => state === "closed"),
  Order.mapInput(Order.number, ({ maxConnections }: DestinationState) => maxConnections),
  Order.mapInput(Order.reverse(Order.number), ({ connections }: DestinationState) => connections)
])

/** The state of the installation, for its operator. */
export class System extends Effect.Service<System>()("services/System", {
  effect: Effect.gen(function* () {
    const depths = yield* QueueDepths
    const { check, destinations, relays, version } = yield* SystemInspection
    const checks = yield* sharedLookup({
      capacity: 1,
      timeToLive: checkInterval,
      lookup: () => Effect.flatMap(check, (findings) => Effect.map(DateTime.now, (at) => ({ findings, at }))),
      idOf: (id: string) => id
    })

    const status = Effect.fn("System.status")(function* () {
      const queues = yield* depths.all
      const { at, findings } = yield* checks.get("all")
      return new SystemStatus(
        {
          version,
          queues,
          relays: yield* relays,
          destinations: Array.take(Array.sort(yield* destinations, byUrgency), maxDestinations),
          findings,
          checkedAt: at
        },
        { disableValidation: true }
      )
    })

    return { status } as const
  })
}) {}
