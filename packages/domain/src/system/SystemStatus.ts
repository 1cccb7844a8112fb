import { Schema } from "effect"
import { Timestamp } from "../Timestamp.js"
import { Finding } from "./Finding.js"
import { QueueDepth } from "./QueueDepth.js"
import { RelayState } from "./RelayState.js"

/** The state of the installation, for its operator. */
export class SystemStatus extends Schema.Class<SystemStatus>("SystemStatus")({
  version: Schema.String.annotations({ description: "The release of the service." }),
  queues: Schema.Array(QueueDepth).annotations({ description: "The queues, over all organizations." }),
  relays: Schema.Array(RelayState).annotations({
    description: "The relays of the process that responds; none if it has no worker."
  }),
  findings: Schema.Array(Finding).annotations({ description: "The results of the checks of `switchboard doctor`." }),
  checkedAt: Timestamp
}) {}
