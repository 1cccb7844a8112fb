import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Context, type Effect } from "effect"
import type { InboundMail } from "./InboundMail.js"

/** A mail with its fingerprint. Within an organization, mails with the same fingerprint are duplicates. */
export interface ArrivedMail extends InboundMail {
  readonly fingerprint: string
}

/** Stores raw mail before the SMTP session acknowledges it. */
export class InboundMails extends Context.Tag("services/InboundMails")<
  InboundMails,
  {
    /** Stores a mail once for each organization, with a queue entry for each, in one transaction. Skips duplicates. */
    readonly store: (mails: ReadonlyArray<ArrivedMail>) => Effect.Effect<void, ServiceUnavailableError>
  }
>() {}
