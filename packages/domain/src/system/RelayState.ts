import { Schema } from "effect"
import { Timestamp } from "../Timestamp.js"

/** The state of the circuit breaker of a relay. */
export const BreakerState = Schema.Struct({
  state: Schema.Literal("closed", "open", "half_open").annotations({
    description:
      "`closed`: messages are sent; `open`: messages wait until `nextAttemptAt`; `half_open`: one message probes the relay."
  }),
  nextAttemptAt: Schema.NullOr(Timestamp).annotations({
    description: "When an open breaker lets one message probe the relay; null if closed."
  })
})
export type BreakerState = typeof BreakerState.Type

/** A relay with the state of its circuit breaker. */
export const RelayState = Schema.Struct({
  relay: Schema.String.annotations({ description: "Host and port of the relay, or `local mailbox`." }),
  ...BreakerState.fields
}).annotations({ identifier: "RelayState" })
export type RelayState = typeof RelayState.Type
