import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { VoiceAgentId } from "@switchboard/domain/voice/agents/VoiceAgent"
import { Context, type DateTime, type Effect } from "effect"
import type { StoredEvent } from "../../events/StoredEvent.js"
import type { LeasedQueue, LeaseHistory, LeaseRequest } from "../../queues/LeasedQueue.js"
import type { SigningTarget } from "../../webhooks/SignedPost.js"

/** An event for the webhook of an agent, as that is now, which this worker holds until it settles it. */
export interface TakenNotice extends LeaseHistory {
  readonly organizationId: OrganizationId
  readonly agentId: VoiceAgentId
  readonly id: string
  /** How many waits of the schedule are used up. */
  readonly retriesUsed: number
  readonly target: SigningTarget
  readonly event: StoredEvent
}

/** How it goes on. */
export interface NoticeSettlement {
  readonly taken: TakenNotice
  readonly retriesUsed: number
  /** Null means that it needs no more work: it was heard, or is given up. */
  readonly retryAt: DateTime.Utc | null
}

/**
 * What the webhooks of agents are still to be told. It is written with what it tells, so that nothing is missed, and is
 * gone once it was heard. Every method is one transaction.
 */
export class AgentNoticeQueue extends Context.Tag("services/AgentNoticeQueue")<
  AgentNoticeQueue,
  LeasedQueue & {
    /** Leases what is ready, the oldest first within an agent and one agent after the other. */
    readonly take: (
      request: LeaseRequest<VoiceAgentId>
    ) => Effect.Effect<ReadonlyArray<TakenNotice>, ServiceUnavailableError>
    /** Stores how those go on that this worker still holds. */
    readonly settle: (
      worker: string,
      done: ReadonlyArray<NoticeSettlement>
    ) => Effect.Effect<void, ServiceUnavailableError>
    /** Makes those ready whose time has come; how many that was. */
    readonly promote: Effect.Effect<number, ServiceUnavailableError>
  }
>() {}
