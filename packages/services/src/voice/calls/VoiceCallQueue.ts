import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { ReportedEvent } from "@switchboard/domain/voice/calls/CallControl"
import { Context, type DateTime } from "effect"
import type { NewEvent } from "../../events/NewEvent.js"
import type { LeaseHistory, LeaseRequest, WorkQueue } from "../../queues/WorkQueue.js"
import type { CallRun, StoredCall } from "./StoredCall.js"

/** A leased call. */
export interface TakenCall extends LeaseHistory {
  readonly call: StoredCall
  readonly run: CallRun
}

/** The outcome of a step. */
export interface CallSettlement {
  readonly taken: TakenCall
  readonly call: StoredCall
  readonly run: CallRun
  readonly events: ReadonlyArray<NewEvent>
  /** The reported events that the step processed. */
  readonly processed: ReadonlyArray<ReportedEvent>
  /** The latest time of the next step, which the next reported event makes earlier; null if there is none. */
  readonly dueAt: DateTime.Utc | null
  /** Whether the step is to be repeated at `dueAt`, regardless of events. */
  readonly isRetry: boolean
  /** Whether the step had an external effect that must not be repeated. */
  readonly isDone: boolean
}

/**
 * The queue of calls, fair between organizations. A call waits until its next event. If it was changed while
 * leased, its next step is due at once, and the worker's outcome is dropped unless it `isDone`.
 */
export class VoiceCallQueue extends Context.Tag("services/VoiceCallQueue")<
  VoiceCallQueue,
  WorkQueue<TakenCall, CallSettlement, LeaseRequest<OrganizationId>>
>() {}
