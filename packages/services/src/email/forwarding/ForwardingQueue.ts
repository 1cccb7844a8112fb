import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { Block, BlockId } from "@switchboard/domain/email/blocks/Block"
import type { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { ForwardingId } from "@switchboard/domain/email/forwarding/ForwardingRule"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type DateTime, type Duration, type Effect, type Option } from "effect"
import type { LeaseHistory, LeaseRequest, WorkQueue } from "../../queues/WorkQueue.js"
import type { ForwardedBy } from "./ForwardMark.js"

/** A leased forwarding of a mail to one address. */
export interface TakenForwarding extends LeaseHistory {
  readonly id: ForwardingId
  readonly organizationId: OrganizationId
  readonly mailId: MessageId
  readonly forwardTo: EmailAddress
  readonly viaDomain: string
  /** The original recipients of this forwarding, in lower case, without reply addresses. */
  readonly recipients: ReadonlyArray<string>
  /** Whether its rule rewrites the From header of senders with an enforced DMARC policy. */
  readonly rewriteFrom: boolean
  readonly by: ForwardedBy
  /** The block that applies to the target address, or null. */
  readonly block: Pick<Block, "id" | "reason"> | null
  readonly createdAt: DateTime.Utc
}

/** The outcome of an attempt. */
export type ForwardOutcome =
  | { readonly _tag: "Forwarded" }
  | { readonly _tag: "Failed"; readonly error: string }
  /** Not attempted. Counts as a hit of the block. */
  | { readonly _tag: "Blocked"; readonly error: string; readonly blockId: BlockId }
  /** To be attempted again after `wait`. */
  | { readonly _tag: "Later"; readonly wait: Duration.Duration }

/** A mail as it was received. */
export interface StoredMail {
  /** The reverse-path (RFC 5321), empty for a notification. */
  readonly mailFrom: string
  readonly raw: Uint8Array
  readonly remoteAddress: string
  readonly helo: string
  readonly tls: boolean
  readonly receivedAt: DateTime.Utc
}

/** A leased forwarding and the outcome of its attempt. */
export interface SettledForwarding {
  readonly taken: TakenForwarding
  readonly outcome: ForwardOutcome
}

/**
 * The queue of forwardings, fair between organizations. A failed forwarding without a copy queues its mail for
 * processing again; while that mail is leased, the forwarding can't be settled.
 */
export class ForwardingQueue extends Context.Tag("services/ForwardingQueue")<
  ForwardingQueue,
  WorkQueue<TakenForwarding, SettledForwarding, LeaseRequest<OrganizationId>> & {
    /** The stored mail. None if it was deleted. */
    readonly mail: (
      organization: OrganizationId,
      mail: MessageId
    ) => Effect.Effect<Option.Option<StoredMail>, ServiceUnavailableError>
  }
>() {}
