import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type Effect } from "effect"
import type { LeasedQueue, LeaseHistory, LeaseRequest } from "../../queues/LeasedQueue.js"
import type { InboundMail } from "./InboundMail.js"
import type { ProcessedMail } from "./ProcessMail.js"

/** A mail that this worker holds until it settles it or the lease runs out. */
export interface TakenMail extends LeaseHistory {
  readonly mail: InboundMail
}

/** What is taken, and by whom. */
export interface TakeMails extends LeaseRequest<OrganizationId> {
  /** At most so many octets together, but one mail however large it is. */
  readonly octets: number
}

/** Mail that waits for a worker, leased by the database's clock like messages. Every method is one transaction. */
export class InboundQueue extends Context.Tag("services/InboundQueue")<
  InboundQueue,
  LeasedQueue & {
    /** Leases what is ready, the oldest first within an organization and one organization after the other. */
    readonly take: (request: TakeMails) => Effect.Effect<ReadonlyArray<TakenMail>, ServiceUnavailableError>
    /** Stores what became of mails that this worker still holds: done, or to be looked at again. */
    readonly settle: (
      worker: string,
      done: ReadonlyArray<{ readonly mail: InboundMail; readonly processed: ProcessedMail }>
    ) => Effect.Effect<void, ServiceUnavailableError>
    /** Makes ready what was to be looked at again and whose time has come; how many that was. */
    readonly promote: Effect.Effect<number, ServiceUnavailableError>
  }
>() {}
