import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Context, type Effect } from "effect"
import type { InboundMail } from "./InboundMail.js"

/** A mail as it arrived: two with the same fingerprint, in one organization, are one mail that came twice. */
export interface ArrivedMail extends InboundMail {
  readonly fingerprint: string
}

/** Where mail is kept, as it came, before anybody is told that it was taken. */
export class InboundMails extends Context.Tag("services/InboundMails")<
  InboundMails,
  {
    /**
     * Stores one mail, once for each organization that it is for, and a queue entry for each, in one transaction. What
     * an organization has already, it has no second time.
     */
    readonly store: (mails: ReadonlyArray<ArrivedMail>) => Effect.Effect<void, ServiceUnavailableError>
  }
>() {}
