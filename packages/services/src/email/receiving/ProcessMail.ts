import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Context, type DateTime, type Effect } from "effect"
import type { TakenMail } from "./InboundQueue.js"

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
