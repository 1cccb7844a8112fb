import { Schema } from "effect"

/** The names of the queues. */
export const queueNames = ["message", "inbound", "forwarding", "webhook", "voice_call", "voice_notice"] as const
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
