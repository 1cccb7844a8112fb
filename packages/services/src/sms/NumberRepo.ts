import type { ConflictError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { NumberChannel, SenderId, SmsNumber } from "@switchboard/domain/sms/SmsNumber"
import { Context, type Effect, type Option } from "effect"

/** A number and its organization. */
export interface OwnedNumber {
  readonly organizationId: OrganizationId
  readonly number: SmsNumber
}

/** Stores the numbers and sender ids of organizations. A number belongs to one organization. */
export class NumberRepo extends Context.Tag("services/NumberRepo")<
  NumberRepo,
  {
    /** Stores a number. Fails if an organization has it; the error does not name another organization. */
    readonly add: (
      organization: OrganizationId,
      number: SmsNumber
    ) => Effect.Effect<void, ConflictError | ServiceUnavailableError>
    /** The organization's numbers, oldest first. */
    readonly list: (organization: OrganizationId) => Effect.Effect<ReadonlyArray<SmsNumber>, ServiceUnavailableError>
    /** The numbers of all organizations, oldest first. */
    readonly listAll: Effect.Effect<ReadonlyArray<OwnedNumber>, ServiceUnavailableError>
    /** Removes a number. Returns false if the organization does not have it. */
    readonly remove: (organization: OrganizationId, number: SenderId) => Effect.Effect<boolean, ServiceUnavailableError>
    /** The organization that has a number for a channel. */
    readonly ownerOf: (
      number: string,
      channel: NumberChannel
    ) => Effect.Effect<Option.Option<OrganizationId>, ServiceUnavailableError>
    /** A number of the organization with the channel voice: the given one, or its oldest one. */
    readonly findVoice: (
      organization: OrganizationId,
      number: string | undefined
    ) => Effect.Effect<Option.Option<SmsNumber>, ServiceUnavailableError>
    /** The organization's oldest number of a channel. */
    readonly defaultOf: (
      organization: OrganizationId,
      channel: NumberChannel
    ) => Effect.Effect<Option.Option<SenderId>, ServiceUnavailableError>
  }
>() {}
