import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Context, type Effect } from "effect"
import type { ProviderEvent } from "./ProviderEvent.js"

/** Receives the events of providers. A transport acknowledges an event only after it is stored. */
export class ProviderEvents extends Context.Tag("services/ProviderEvents")<
  ProviderEvents,
  {
    /**
     * Stores an event for processing. Concurrent calls share a transaction. A text to a number that no organization has
     * is counted and not stored.
     */
    readonly receive: (event: ProviderEvent) => Effect.Effect<void, ServiceUnavailableError>
  }
>() {}
