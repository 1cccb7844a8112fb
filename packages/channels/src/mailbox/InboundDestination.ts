import { Context, type Effect, type Option } from "effect"
import type { InboundAddress } from "../email/receiving/InboundServer.js"

/** The address of the inbound SMTP server; none until it listens in this process. */
export class InboundDestination extends Context.Tag("channels/InboundDestination")<
  InboundDestination,
  {
    readonly get: Effect.Effect<Option.Option<typeof InboundAddress.Service>>
    readonly set: (address: typeof InboundAddress.Service) => Effect.Effect<void>
  }
>() {}
