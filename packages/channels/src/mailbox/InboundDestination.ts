import { Context, type Effect, type Option } from "effect"

interface InboundAddress {
  readonly host: string
  readonly port: number
}

/** Where mail comes in, as far as this process knows. */
export class InboundDestination extends Context.Tag("channels/InboundDestination")<
  InboundDestination,
  {
    readonly get: Effect.Effect<Option.Option<InboundAddress>>
    readonly set: (address: InboundAddress) => Effect.Effect<void>
  }
>() {}
