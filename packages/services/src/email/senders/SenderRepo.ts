import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { Tracking } from "@switchboard/domain/email/tracking/Tracking"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type DateTime, type Effect, type Option } from "effect"

/** An address that an organization may send from. */
export interface VerifiedSender {
  readonly email: EmailAddress
  readonly name: string
  readonly replyTo: EmailAddress | null
}

/** A sender with the tracking of mail from its domain. */
export interface UsableSender extends VerifiedSender {
  readonly tracking: Tracking
}

/**
 * Finds the senders that an organization may use: verified, active, and with a domain that is verified or degraded
 * since `degradedSince` or later. A sender confirmed by mail after its domain failed counts as verified.
 */
export class SenderRepo extends Context.Tag("services/SenderRepo")<
  SenderRepo,
  {
    /** Finds a sender by address, case-insensitively. */
    readonly findVerified: (
      organization: OrganizationId,
      email: EmailAddress,
      degradedSince: DateTime.Utc
    ) => Effect.Effect<Option.Option<UsableSender>, ServiceUnavailableError>
    /** The organization's default sender. */
    readonly findDefault: (
      organization: OrganizationId,
      degradedSince: DateTime.Utc
    ) => Effect.Effect<Option.Option<UsableSender>, ServiceUnavailableError>
    /** The oldest organization with the address as a sender. */
    readonly findFirstOwner: (
      email: EmailAddress
    ) => Effect.Effect<Option.Option<OrganizationId>, ServiceUnavailableError>
  }
>() {}
