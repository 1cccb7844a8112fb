import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Context, type DateTime, type Effect } from "effect"
import type { OpenedMail } from "./OpenLink.js"

/** An open of a mail. */
export interface Open extends OpenedMail {
  readonly at: DateTime.Utc
}

/** Stores opens of mail. */
export class OpenRepo extends Context.Tag("services/OpenRepo")<
  OpenRepo,
  {
    /**
     * Stores opens as status changes of their messages, with events, in one transaction. Deleted and unsent messages
     * don't change.
     */
    readonly record: (opens: ReadonlyArray<Open>) => Effect.Effect<void, ServiceUnavailableError>
  }
>() {}
