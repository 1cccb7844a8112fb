import { Context, type Effect, type Option } from "effect"
import type { InboundAddress } from "../email/receiving/InboundServer.js"

/** Where mail comes in, as far as this process knows. */
export class InboundDestination extends Context.Tag("channels/InboundDestination")<
  InboundDestination,
  {
    readonly get: Effect.Effect<Option.Option<typeof InboundAddress.Service>>
    readonly set: (address: typeof InboundAddress.Service) => Effect.Effect<void>
  }
>() {}
