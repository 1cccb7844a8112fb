import { Context, type Effect, type Option } from "effect"

/** Where mail comes in; none as long as this process does not know it. */
export class InboundDestination extends Context.Tag("channels/InboundDestination")<
  InboundDestination,
  Effect.Effect<Option.Option<{ readonly host: string; readonly port: number }>>
>() {}
