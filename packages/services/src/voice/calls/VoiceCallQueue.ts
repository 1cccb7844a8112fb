import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type DateTime, type Effect } from "effect"
import type { NewEvent } from "../../events/NewEvent.js"
import type { LeasedQueue, LeaseHistory, LeaseRequest } from "../../queues/LeasedQueue.js"
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
 * Calls for which something is to be done, leased by the database's clock like messages. Nobody holds a call while it
 * only goes on: it waits for the time of its next step. Every method is one transaction.
 */
export class VoiceCallQueue extends Context.Tag("services/VoiceCallQueue")<
  VoiceCallQueue,
  LeasedQueue & {
    /** Leases what is ready, the oldest first within an organization and one organization after the other. */
    readonly take: (
      request: LeaseRequest<OrganizationId>
    ) => Effect.Effect<ReadonlyArray<TakenCall>, ServiceUnavailableError>
    /**
     * Stores how a call goes on that this worker still holds. If somebody changed it meanwhile, it is looked at again
     * at once, and what was made of it is forgotten, unless it `isDone`.
     */
    readonly settle: (worker: string, settlement: CallSettlement) => Effect.Effect<void, ServiceUnavailableError>
    /** Makes those ready whose time has come; how many that was. */
    readonly promote: Effect.Effect<number, ServiceUnavailableError>
  }
>() {}
