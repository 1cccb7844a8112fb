import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { Block, BlockId } from "@switchboard/domain/email/blocks/Block"
import type { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { ForwardingId } from "@switchboard/domain/email/forwarding/ForwardingLog"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type DateTime, type Duration, type Effect, type Option } from "effect"
import type { LeaseHistory, LeaseRequest, WorkQueue } from "../../queues/WorkQueue.js"
import type { ForwardedBy } from "./ForwardMark.js"

/** A mail on its way to one address, which this worker holds until it settles it or the lease runs out. */
export interface TakenForwarding extends LeaseHistory {
  readonly id: ForwardingId
  readonly organizationId: OrganizationId
  readonly mailId: MessageId
  readonly forwardTo: EmailAddress
  readonly viaDomain: string
  /** The addresses that it came to, in lower case; without those of replies to messages. */
  readonly recipients: ReadonlyArray<string>
  /** Whether its rule rewrites the From header of senders with an enforced DMARC policy. */
  readonly rewriteFrom: boolean
  readonly by: ForwardedBy
  /** What keeps the address from getting anything, if something does. */
  readonly block: Pick<Block, "id" | "reason"> | null
  readonly createdAt: DateTime.Utc
}

/** How an attempt ended. */
export type ForwardOutcome =
  | { readonly _tag: "Forwarded" }
  | { readonly _tag: "Failed"; readonly error: string }
  /** It was not tried: it counts as a hit of the block. */
  | { readonly _tag: "Blocked"; readonly error: string; readonly blockId: BlockId }
  /** To be tried again. */
  | { readonly _tag: "Later"; readonly wait: Duration.Duration }

/** A mail as it came. */
export interface KeptMail {
  /** The reverse-path (RFC 5321), empty for a notification. */
  readonly mailFrom: string
  readonly raw: Uint8Array
  readonly remoteAddress: string
  readonly helo: string
  readonly tls: boolean
  readonly receivedAt: DateTime.Utc
}

/** A taken forwarding, and how its attempt ended. */
export interface EndedForwarding {
  readonly taken: TakenForwarding
  readonly outcome: ForwardOutcome
}

/**
 * The mails that go on: organizations take turns. Where one failed and no copy was kept, its mail is looked at again;
 * while that is being looked at, the attempt has not ended yet.
 */
export class ForwardingQueue extends Context.Tag("services/ForwardingQueue")<
  ForwardingQueue,
  WorkQueue<TakenForwarding, EndedForwarding, LeaseRequest<OrganizationId>> & {
    /** None if it is not kept any more. */
    readonly mail: (
      organization: OrganizationId,
      mail: MessageId
    ) => Effect.Effect<Option.Option<KeptMail>, ServiceUnavailableError>
  }
>() {}
