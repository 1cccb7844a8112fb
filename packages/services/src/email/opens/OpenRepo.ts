import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Context, type DateTime, type Effect } from "effect"
import type { OpenedMail } from "./OpenLink.js"

/** That a mail was opened, and when. */
export interface Open extends OpenedMail {
  readonly at: DateTime.Utc
}

/** Where it is kept what was opened. */
export class OpenRepo extends Context.Tag("services/OpenRepo")<
  OpenRepo,
  {
    /** Moves the messages that were opened, with their events, in one transaction. What is gone or not sent stays so. */
    readonly record: (opens: ReadonlyArray<Open>) => Effect.Effect<void, ServiceUnavailableError>
  }
>() {}
