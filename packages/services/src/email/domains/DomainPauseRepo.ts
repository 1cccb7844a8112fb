import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import type { SenderOutcomes } from "@switchboard/domain/email/senders/EmailSender"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type DateTime, type Effect } from "effect"

/** The outcomes of a domain's mail. */
export interface DomainFigures extends SenderOutcomes {
  readonly organizationId: OrganizationId
  readonly id: EmailDomainId
  /** The end of the last pause: earlier mail is not counted. */
  readonly resumedAt: DateTime.Utc | null
}

/** The figures that pauses of domains are decided by, and the mail that waits for their end. */
export class DomainPauseRepo extends Context.Tag("services/DomainPauseRepo")<
  DomainPauseRepo,
  {
    /**
     * The outcomes of mail that was sent since `since` from domains without a pause, of those with at least `minMessages`
     * of which one bounced or had a complaint. In quarter hours; tests are not counted.
     */
    readonly figures: (
      since: DateTime.Utc,
      minMessages: number
    ) => Effect.Effect<ReadonlyArray<DomainFigures>, ServiceUnavailableError>
    /**
     * Makes a batch of a domain's mail due that waits for the end of a pause that has ended. Returns its number, 0 if
     * there is none. Mail that expired in the pause, or is about to, gets another day.
     */
    readonly release: Effect.Effect<number, ServiceUnavailableError>
    /** Deletes figures of mail that was sent before `before`. Returns their number. */
    readonly deleteFigures: (before: DateTime.Utc) => Effect.Effect<number, ServiceUnavailableError>
  }
>() {}
