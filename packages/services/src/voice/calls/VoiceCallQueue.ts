import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type DateTime, type Duration, type Effect, type Stream } from "effect"
import type { NewEvent } from "../../events/NewEvent.js"
import type { CallRun, StoredCall } from "./StoredCall.js"

/** A call that this worker holds until it settles it or the lease runs out. */
export interface TakenCall {
  readonly call: StoredCall
  readonly run: CallRun
  /** How often a worker was lost while it held this call. */
  readonly takeovers: number
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

/** What is taken, and by whom. */
export interface TakeCalls {
  readonly worker: string
  readonly lease: Duration.Duration
  readonly limit: number
  /** At most this many of one organization. */
  readonly perOrganization: number
  /** Organizations that the worker already holds enough of. */
  readonly saturated: ReadonlyArray<OrganizationId>
}

/**
 * Calls for which something is to be done, leased by the database's clock like messages. Nobody holds a call while it
 * only goes on: it waits for the time of its next step. Every method is one transaction.
 */
export class VoiceCallQueue extends Context.Tag("services/VoiceCallQueue")<
  VoiceCallQueue,
  {
    /** Leases what is ready, the oldest first within an organization and one organization after the other. */
    readonly take: (request: TakeCalls) => Effect.Effect<ReadonlyArray<TakenCall>, ServiceUnavailableError>
    /**
     * Stores how a call goes on that this worker still holds. If somebody changed it meanwhile, it is looked at again
     * at once, and what was made of it is forgotten, unless it `isDone`.
     */
    readonly settle: (worker: string, settlement: CallSettlement) => Effect.Effect<void, ServiceUnavailableError>
    /** Keeps what the worker holds for another lease. */
    readonly renew: (
      worker: string,
      calls: ReadonlyArray<string>,
      lease: Duration.Duration
    ) => Effect.Effect<void, ServiceUnavailableError>
    /** Makes what lost workers held ready again; how many that was. */
    readonly recover: Effect.Effect<number, ServiceUnavailableError>
    /** Makes those ready whose time has come; how many that was. */
    readonly promote: Effect.Effect<number, ServiceUnavailableError>
    /** Says, without saying what, that something became ready. Ends never; survives a lost connection. */
    readonly woken: Stream.Stream<void>
  }
>() {}
