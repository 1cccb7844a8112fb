import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context } from "effect"
import type { LeaseHistory, LeaseRequest, WorkQueue } from "../../queues/WorkQueue.js"
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

/** A mail that is done, or to be looked at again. */
export interface SettledMail {
  readonly mail: InboundMail
  readonly processed: ProcessedMail
}

/** The received mails that wait for a worker: organizations take turns. */
export class InboundQueue extends Context.Tag("services/InboundQueue")<
  InboundQueue,
  WorkQueue<TakenMail, SettledMail, TakeMails>
>() {}
