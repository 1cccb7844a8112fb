import { Schema } from "effect"

/** An event of a mail after its delivery. */
export const SimulatedEvent = Schema.Literal("bounce", "complaint", "read")
export type SimulatedEvent = typeof SimulatedEvent.Type

/** The event to simulate for a mail of the local mailbox. */
export const MailboxSimulation = Schema.Struct({
  kind: SimulatedEvent.annotations({
    description: "`bounce`: the mail comes back; `complaint`: a report as spam; `read`: the tracking pixel is loaded"
  })
}).annotations({ identifier: "MailboxSimulation" })
