import { Context } from "effect"

/** Whether the relay is on another host, so that its receivers see the domain of the sender. */
export class RemoteRelay extends Context.Reference<RemoteRelay>()("services/RemoteRelay", {
  defaultValue: () => false
}) {}
