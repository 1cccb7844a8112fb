import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { DeliveryChannel } from "@switchboard/domain/system/SystemStatus"
import { Context, Data, type DateTime, type Effect, type Option } from "effect"

/** What an operator pauses: the delivery of a channel, or the mail of an organization. */
export type PauseTarget = Data.TaggedEnum<{
  Channel: { readonly channel: DeliveryChannel }
  Organization: { readonly organizationId: OrganizationId }
}>
export const PauseTarget = Data.taggedEnum<PauseTarget>()

/** A pause, and its start. */
export class Pause extends Data.Class<{ readonly target: PauseTarget; readonly pausedAt: DateTime.Utc }> {}

/** A domain whose mail is paused. */
export class PausedDomain extends Data.Class<{
  readonly organizationId: OrganizationId
  readonly id: EmailDomainId
  /** Lower case. */
  readonly domain: string
  readonly pausedAt: DateTime.Utc
}> {}

/** What the processes of an installation may send. States with the same content are equal. */
export class PauseState extends Data.Class<{
  /** Whether this is a restored copy, which sends nothing until it is released. */
  readonly isHeld: boolean
  /** The time before which waiting messages of a released copy end without an attempt. */
  readonly endedBefore: Option.Option<DateTime.Utc>
  /** The earliest first. */
  readonly pauses: ReadonlyArray<Pause>
  /** The earliest first. */
  readonly domains: ReadonlyArray<PausedDomain>
}> {}

/** Stores what the processes of an installation may send. */
export class PauseRepo extends Context.Tag("services/PauseRepo")<
  PauseRepo,
  {
    /** The hold and the pauses. */
    readonly state: Effect.Effect<PauseState, ServiceUnavailableError>
    /** Holds a restored copy. */
    readonly hold: Effect.Effect<void, ServiceUnavailableError>
    /** Ends the hold; returns false if there is none. */
    readonly release: (endedBefore: Option.Option<DateTime.Utc>) => Effect.Effect<boolean, ServiceUnavailableError>
    /** Starts a pause; returns false if there is one. */
    readonly pause: (target: PauseTarget) => Effect.Effect<boolean, ServiceUnavailableError>
    /**
     * Ends a pause; returns false if there is none. Messages that expired in the pause, or are about to, get another day
     * for their attempts.
     */
    readonly resume: (target: PauseTarget) => Effect.Effect<boolean, ServiceUnavailableError>
  }
>() {}
