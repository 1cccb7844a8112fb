import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { VoiceAgentId } from "@switchboard/domain/voice/agents/VoiceAgent"
import { Context, type DateTime } from "effect"
import type { StoredEvent } from "../../events/StoredEvent.js"
import type { LeaseHistory, LeaseRequest, WorkQueue } from "../../queues/WorkQueue.js"
import type { SigningTarget } from "../../webhooks/delivery/SignedPost.js"

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

/** The events for the webhooks of agents: agents take turns. They are written with what they tell, and leave when heard. */
export class AgentNoticeQueue extends Context.Tag("services/AgentNoticeQueue")<
  AgentNoticeQueue,
  WorkQueue<TakenNotice, NoticeSettlement, LeaseRequest<VoiceAgentId>>
>() {}
