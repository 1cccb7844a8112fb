import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type DateTime, type Effect } from "effect"
import type { LeaseHistory, WorkQueue } from "../queues/WorkQueue.js"
import type { ProviderEvent } from "./ProviderEvent.js"

/** A stored event. A receipt has an organization that does not exist: only its message has one. */
export interface StoredEvent {
  readonly organizationId: OrganizationId
  /** UUIDv7 of the time of arrival. */
  readonly id: string
  readonly event: ProviderEvent
  readonly receivedAt: DateTime.Utc
}

/** A leased event. */
export interface TakenEvent extends StoredEvent, LeaseHistory {}

/** The outcome of processing an event. */
export type ProcessedEvent =
  /** All effects are stored, or there are none. The event is deleted. */
  | { readonly _tag: "Done" }
  /** The message is not settled yet, or parts of the text are missing: process the event again at `at`. */
  | { readonly _tag: "Later"; readonly at: DateTime.Utc }

/** A leased event and the outcome of its processing. */
export interface SettledEvent {
  readonly event: Pick<StoredEvent, "organizationId" | "id">
  readonly processed: ProcessedEvent
}

/** The queue of events of providers. */
export class ProviderEventQueue extends Context.Tag("services/ProviderEventQueue")<
  ProviderEventQueue,
  WorkQueue<TakenEvent, SettledEvent>
>() {}

/** Processes events of providers. Processing an event again changes nothing. */
export class ProcessEvents extends Context.Tag("services/ProcessEvents")<
  ProcessEvents,
  {
    readonly process: (taken: TakenEvent) => Effect.Effect<ProcessedEvent, ServiceUnavailableError>
  }
>() {}
