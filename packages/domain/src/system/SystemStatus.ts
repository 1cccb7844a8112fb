import { Schema } from "effect"
import { Timestamp } from "../Timestamp.js"

/** The state of the circuit breaker of a relay or destination. */
export const BreakerState = Schema.Struct({
  state: Schema.Literal("closed", "open", "half_open").annotations({
    description:
      "`closed`: messages are sent; `open`: messages wait until `nextAttemptAt`; `half_open`: one message probes the relay or destination."
  }),
  nextAttemptAt: Schema.NullOr(Timestamp).annotations({
    description: "When an open breaker lets one message probe it; null if closed."
  })
})
export type BreakerState = typeof BreakerState.Type

/** A provider of a channel with the state of its circuit breaker. */
export const RelayState = Schema.Struct({
  channel: Schema.Literal("email", "sms", "whatsapp").annotations({ description: "The channel of the provider." }),
  relay: Schema.String.annotations({
    description: "Host and port of the relay or provider, `local mailbox` or `local handset`."
  }),
  ...BreakerState.fields
}).annotations({ identifier: "RelayState" })
export type RelayState = typeof RelayState.Type

/** The mail servers of recipients, to which mail goes without a relay. Domains with the same mail servers share it. */
export const DestinationState = Schema.Struct({
  destination: Schema.String.annotations({ description: "The names of the mail servers, in the order to try them." }),
  connections: Schema.Number.annotations({ description: "The open connections." }),
  maxConnections: Schema.Number.annotations({
    description: "The connections that may be open now: fewer after failures, more after successes."
  }),
  lastFailure: Schema.NullOr(Schema.String).annotations({
    description: "The last reply or problem that paused the destination; null if it was not paused."
  }),
  ...BreakerState.fields
}).annotations({ identifier: "DestinationState" })
export type DestinationState = typeof DestinationState.Type

/** The names of the queues. */
export const queueNames = [
  "message",
  "sms",
  "whatsapp",
  "inbound",
  "provider_event",
  "forwarding",
  "webhook",
  "voice_call"
] as const
export type QueueName = (typeof queueNames)[number]

/** The number of entries in a queue, over all organizations: exact while they are few, an estimate of many. */
export const QueueDepth = Schema.Struct({
  queue: Schema.Literal(...queueNames).annotations({ description: "The name of the queue." }),
  ready: Schema.Number.annotations({ description: "The entries that a worker may lease." }),
  leased: Schema.Number.annotations({ description: "The entries leased by workers." }),
  waiting: Schema.Number.annotations({ description: "The entries that are due later." }),
  oldestSeconds: Schema.Number.annotations({
    description:
      "The age of the oldest due entry in seconds; 0 if there is none; of many ready entries, the oldest of a sample."
  }),
  isPaused: Schema.Boolean.annotations({
    description:
      "Whether no entry is sent, since an operator paused the channel, or since the database is a restored copy; false if only organizations are paused."
  })
}).annotations({ identifier: "QueueDepth" })
export type QueueDepth = typeof QueueDepth.Type

/** The result of one check of the installation. */
export const Finding = Schema.Struct({
  level: Schema.Literal("ok", "warning", "error").annotations({
    description:
      "`warning`: the service works, but the operator should act; `error`: the service does not work as configured."
  }),
  subject: Schema.String,
  advice: Schema.optional(
    Schema.Array(Schema.String).annotations({ description: "The problem and its remedy, in lines; left out if ok." })
  )
}).annotations({ identifier: "Finding" })
export type Finding = typeof Finding.Type

/** The channels of which an operator can pause the delivery. */
export const deliveryChannels = ["email", "sms", "whatsapp", "webhook"] as const
export type DeliveryChannel = (typeof deliveryChannels)[number]

/**
 * The channel of each queue; null for a queue without pauses: received mail is always processed, and a call is not
 * stopped between its steps.
 */
export const channelOf: Readonly<Record<QueueName, DeliveryChannel | null>> = {
  message: "email",
  sms: "sms",
  whatsapp: "whatsapp",
  inbound: null,
  provider_event: null,
  forwarding: "email",
  webhook: "webhook",
  voice_call: null
}

/** The state of the installation, for its operator. */
export class SystemStatus extends Schema.Class<SystemStatus>("SystemStatus")({
  version: Schema.String.annotations({ description: "The release of the service." }),
  queues: Schema.Array(QueueDepth).annotations({ description: "The queues, over all organizations." }),
  relays: Schema.Array(RelayState).annotations({
    description: "The relays of the process that responds; none if it has no worker."
  }),
  destinations: Schema.Array(DestinationState).annotations({
    description:
      "The destinations of direct delivery of the process that responds, the paused ones first; at most 50; none with a relay."
  }),
  findings: Schema.Array(Finding).annotations({ description: "The results of the checks of `switchboard doctor`." }),
  checkedAt: Timestamp
}) {}
