import type { Finding } from "@switchboard/domain/system/Finding"
import type { RelayState } from "@switchboard/domain/system/RelayState"
import { Context, type Effect } from "effect"

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
