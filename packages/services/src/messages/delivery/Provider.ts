import type { RecipientReply } from "@switchboard/domain/messages/delivery/DeliveryOutcome"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Data, type DateTime, type Effect } from "effect"

/** What a provider of any channel replied to a send. */
export interface ProviderReply {
  /**
   * One for each recipient of the send, except for the recipients beyond the limit of the provider: they need a further
   * send.
   */
  readonly replies: ReadonlyArray<RecipientReply>
  /** The reply that accepts the message, for mail the one to the final dot; null if no recipient was accepted. */
  readonly response: string | null
  /** The provider's id of the message, if its reply has one. */
  readonly providerMessageId: string | null
}

/** The provider rejected the message permanently. For SMTP: 5yz to MAIL or DATA. */
export class SendRefused extends Data.TaggedError("SendRefused")<{
  readonly smtpCode: number | null
  readonly response: string
}> {}

/**
 * The message is deferred. For SMTP: 4yz to MAIL or DATA, a reply that is not SMTP, or a connection that was lost or
 * silent in the session.
 */
export class SendDeferred extends Data.TaggedError("SendDeferred")<{
  readonly smtpCode: number | null
  readonly response: string
  /** The provider did not reply in time: several in a row open the circuit breaker. */
  readonly isSilent?: boolean
  /** The provider received the complete message, but its reply was lost: a retry may deliver a second copy. */
  readonly mayBeTaken?: boolean
  /** The reply concerns every message over the route: its circuit breaker opens. */
  readonly isAboutRoute?: boolean
}> {}

/**
 * The provider can't be used for any message: connection refused, host not found, TLS or authentication failed, the
 * reply 421 (SMTP), or throttled (SMPP, HTTP 429).
 */
export class ProviderUnavailable extends Data.TaggedError("ProviderUnavailable")<{ readonly response: string }> {}

/** The lease ended before the message was sent: nothing was sent. */
export class SendWithdrawn extends Data.TaggedError("SendWithdrawn") {}

/** The route has as many messages in progress as it gets: nothing was sent. */
export class SendPostponed extends Data.TaggedError("SendPostponed")<{ readonly until: DateTime.Utc }> {}

/** The failures of a send. */
export type SendFailure = SendRefused | SendDeferred | SendWithdrawn | SendPostponed | ProviderUnavailable

/** The queue entry that a message is sent for. */
export interface SendLease {
  /** The sender. One organization can use a part of the connections only. */
  readonly organizationId: OrganizationId
  /** Whether the lease certainly holds: another worker may have sent the message while this process was suspended. */
  readonly isHeld: () => boolean
}

/** The result of a send. */
export type Sending = Effect.Effect<ProviderReply, SendFailure>
