import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Context, type DateTime, type Effect } from "effect"
import type { TakenMail } from "./InboundQueue.js"

/** What became of a mail. */
export type ProcessedMail =
  /** All that follows from it is stored; `parseError` says why it could not be read, if it could not. */
  | { readonly _tag: "Done"; readonly parseError: string | null }
  /** It is news of something that is not settled yet. */
  | { readonly _tag: "Later"; readonly at: DateTime.Utc }

/** Understands a mail that came in, and does what follows from it. Doing it again changes nothing. */
export class ProcessMail extends Context.Tag("services/ProcessMail")<
  ProcessMail,
  {
    readonly process: (taken: TakenMail) => Effect.Effect<ProcessedMail, ServiceUnavailableError>
    /** Hands a mail to its recipients as it came, unread and unchecked: to read it has ended too many workers. */
    readonly keepUnread: (taken: TakenMail) => Effect.Effect<ProcessedMail, ServiceUnavailableError>
  }
>() {}
