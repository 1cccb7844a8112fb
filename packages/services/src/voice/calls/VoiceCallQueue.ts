import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type DateTime } from "effect"
import type { NewEvent } from "../../events/NewEvent.js"
import type { LeaseHistory, LeaseRequest, WorkQueue } from "../../queues/WorkQueue.js"
import type { CallRun, StoredCall } from "./StoredCall.js"

/** A call that this worker holds until it settles it or the lease runs out. */
export interface TakenCall extends LeaseHistory {
  readonly call: StoredCall
  readonly run: CallRun
}

/** How a taken call goes on. */
export interface CallSettlement {
  readonly taken: TakenCall
  readonly call: StoredCall
  readonly run: CallRun
  readonly events: ReadonlyArray<NewEvent>
  /** When it is looked at again; null if there is nothing to be done for it any more. */
  readonly dueAt: DateTime.Utc | null
  /** Whether something was done outside, which is not to be done again. */
  readonly isDone: boolean
}

/**
 * The calls that have a next step: organizations take turns. Between its steps a call waits for the time of the next one.
 * If a call was changed while a worker held it, it is looked at again at once, and the worker's outcome is dropped
 * unless it `isDone`.
 */
export class VoiceCallQueue extends Context.Tag("services/VoiceCallQueue")<
  VoiceCallQueue,
  WorkQueue<TakenCall, CallSettlement, LeaseRequest<OrganizationId>>
>() {}
