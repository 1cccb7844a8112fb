import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { VoiceAgentId } from "@switchboard/domain/voice/agents/VoiceAgent"
import { Context, type DateTime } from "effect"
import type { StoredEvent } from "../../events/StoredEvent.js"
import type { LeaseHistory, LeaseRequest, WorkQueue } from "../../queues/WorkQueue.js"
import type { SigningTarget } from "../../webhooks/delivery/SignedPost.js"

/** A leased event for the current webhook of an agent. */
export interface TakenNotice extends LeaseHistory {
  readonly organizationId: OrganizationId
  readonly agentId: VoiceAgentId
  readonly id: string
  /** The number of retries made. */
  readonly retriesUsed: number
  readonly target: SigningTarget
  readonly event: StoredEvent
}

/** The outcome of an attempt. */
export interface NoticeSettlement {
  readonly taken: TakenNotice
  readonly retriesUsed: number
  /** The time of the next attempt; null if the event was delivered or abandoned. */
  readonly retryAt: DateTime.Utc | null
}

/**
 * The queue of events for agents' webhooks, fair between agents. Entries are stored in the transaction of their event.
 */
export class AgentNoticeQueue extends Context.Tag("services/AgentNoticeQueue")<
  AgentNoticeQueue,
  WorkQueue<TakenNotice, NoticeSettlement, LeaseRequest<VoiceAgentId>>
>() {}
