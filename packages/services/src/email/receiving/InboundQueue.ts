import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type Duration, type Effect, type Stream } from "effect"
import type { InboundMail } from "./InboundMail.js"
import type { ProcessedMail } from "./ProcessMail.js"

/** A mail that this worker holds until it settles it or the lease runs out. */
export interface TakenMail {
  readonly mail: InboundMail
  /** How often a worker was lost while it held this mail. */
  readonly takeovers: number
}

/** What is taken, and by whom. */
export interface TakeMails {
  readonly worker: string
  readonly lease: Duration.Duration
  readonly limit: number
  /** At most this many of one organization. */
  readonly perOrganization: number
  /** Organizations that the worker already holds enough of. */
  readonly saturated: ReadonlyArray<OrganizationId>
  /** At most so many octets together, but one mail however large it is. */
  readonly octets: number
}

/** Mail that waits for a worker, leased by the database's clock like messages. Every method is one transaction. */
export class InboundQueue extends Context.Tag("services/InboundQueue")<
  InboundQueue,
  {
    /** Leases what is ready, the oldest first within an organization and one organization after the other. */
    readonly take: (request: TakeMails) => Effect.Effect<ReadonlyArray<TakenMail>, ServiceUnavailableError>
    /** Stores what became of mails that this worker still holds: done, or to be looked at again. */
    readonly settle: (
      worker: string,
      done: ReadonlyArray<{ readonly mail: InboundMail; readonly processed: ProcessedMail }>
    ) => Effect.Effect<void, ServiceUnavailableError>
    /** Keeps what the worker holds for another lease. */
    readonly renew: (
      worker: string,
      mails: ReadonlyArray<string>,
      lease: Duration.Duration
    ) => Effect.Effect<void, ServiceUnavailableError>
    /** Makes what lost workers held ready again; how many that was. */
    readonly recover: Effect.Effect<number, ServiceUnavailableError>
    /** Makes ready what was to be looked at again and whose time has come; how many that was. */
    readonly promote: Effect.Effect<number, ServiceUnavailableError>
    /** Says, without saying what, that something became ready. Ends never; survives a lost connection. */
    readonly woken: Stream.Stream<void>
  }
>() {}
