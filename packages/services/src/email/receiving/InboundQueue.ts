import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type DateTime, type Effect } from "effect"
import type { LeaseHistory, LeaseRequest, WorkQueue } from "../../queues/WorkQueue.js"
import type { InboundMail } from "./InboundMail.js"

/** The outcome of processing a mail. */
export type ProcessedMail =
  /** Everything is stored. `parseError` is the reason why the mail could not be parsed, or null. */
  | { readonly _tag: "Done"; readonly parseError: string | null }
  /** The mail reports on a message that is not settled yet: process it again at `at`. */
  | { readonly _tag: "Later"; readonly at: DateTime.Utc }

/** Processes received mail. Processing a mail again changes nothing. */
export class ProcessMail extends Context.Tag("services/ProcessMail")<
  ProcessMail,
  {
    /** Processes a leased mail. */
    readonly process: (taken: TakenMail) => Effect.Effect<ProcessedMail, ServiceUnavailableError>
    /** Receives a mail without parsing or checking it, after parsing it has crashed several workers. */
    readonly receiveUnparsed: (taken: TakenMail) => Effect.Effect<ProcessedMail, ServiceUnavailableError>
  }
>() {}

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
