import { type Finding, type RelayState, SystemStatus } from "@switchboard/domain/system/SystemStatus"
import { Context, DateTime, Duration, Effect } from "effect"
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
    /** Makes all checks of `switchboard doctor`. They send DNS queries and connect to the relay. */
    readonly check: Effect.Effect<ReadonlyArray<Finding>>
  }
>() {}

/** The checks are repeated after this time: they send DNS queries and connect to the relay. */
const checkInterval = Duration.minutes(1)

/** The state of the installation, for its operator. */
export class System extends Effect.Service<System>()("services/System", {
  effect: Effect.gen(function* () {
    const depths = yield* QueueDepths
    const { check, relays, version } = yield* SystemInspection
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
        { version, queues, relays: yield* relays, findings, checkedAt: at },
        { disableValidation: true }
      )
    })

    return { status } as const
  })
}) {}
