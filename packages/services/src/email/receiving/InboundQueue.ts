import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context } from "effect"
import type { LeaseHistory, LeaseRequest, WorkQueue } from "../../queues/WorkQueue.js"
import type { InboundMail } from "./InboundMail.js"
import type { ProcessedMail } from "./ProcessMail.js"

/** A leased mail. */
export interface TakenMail extends LeaseHistory {
  readonly mail: InboundMail
}

/** A request to lease mail. */
export interface TakeMails extends LeaseRequest<OrganizationId> {
  /** The maximum total size in octets. One mail is leased regardless of its size. */
  readonly octets: number
}

/** A leased mail and the outcome of its processing. */
export interface SettledMail {
  readonly mail: InboundMail
  readonly processed: ProcessedMail
}

/** The queue of received mail, fair between organizations. */
export class InboundQueue extends Context.Tag("services/InboundQueue")<
  InboundQueue,
  WorkQueue<TakenMail, SettledMail, TakeMails>
>() {}
