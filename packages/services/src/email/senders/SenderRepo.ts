import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type DateTime, type Effect, type Option } from "effect"

/** An address that an organization may send from. */
export interface VerifiedSender {
  readonly email: EmailAddress
  readonly name: string
  readonly replyTo: EmailAddress | null
}

/**
 * Where senders are kept. Only verified and active ones are found, and none whose domain has failed: it is verified no
 * more, or degraded since before this instant. Who confirmed by mail after that is verified all the same.
 */
export class SenderRepo extends Context.Tag("services/SenderRepo")<
  SenderRepo,
  {
    /** By address, whatever its case. */
    readonly findVerified: (
      organization: OrganizationId,
      email: EmailAddress,
      degradedSince: DateTime.Utc
    ) => Effect.Effect<Option.Option<VerifiedSender>, ServiceUnavailableError>
    readonly findDefault: (
      organization: OrganizationId,
      degradedSince: DateTime.Utc
    ) => Effect.Effect<Option.Option<VerifiedSender>, ServiceUnavailableError>
    /** Of all organizations that have the address, the oldest. */
    readonly findFirstOwner: (
      email: EmailAddress
    ) => Effect.Effect<Option.Option<OrganizationId>, ServiceUnavailableError>
  }
>() {}
