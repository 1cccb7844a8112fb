import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { VoiceAgentId } from "@switchboard/domain/voice/agents/VoiceAgent"
import { Context, type DateTime, type Duration, type Effect, type Stream } from "effect"
import type { StoredEvent } from "../../events/StoredEvent.js"
import type { SigningTarget } from "../../webhooks/SignedPost.js"

/** An event for the webhook of an agent, as that is now, which this worker holds until it settles it. */
export interface TakenNotice {
  readonly organizationId: OrganizationId
  readonly agentId: VoiceAgentId
  readonly id: string
  /** How often a worker was lost while it held this. */
  readonly takeovers: number
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

/** What is taken, and by whom. */
export interface TakeNotices {
  readonly worker: string
  readonly lease: Duration.Duration
  readonly limit: number
  /** At most this many for one agent. */
  readonly perAgent: number
  /** Agents for which the worker already holds enough. */
  readonly saturated: ReadonlyArray<VoiceAgentId>
}

/**
 * What the webhooks of agents are still to be told. It is written with what it tells, so that nothing is missed, and is
 * gone once it was heard. Every method is one transaction.
 */
export class AgentNoticeQueue extends Context.Tag("services/AgentNoticeQueue")<
  AgentNoticeQueue,
  {
    /** Leases what is ready, the oldest first within an agent and one agent after the other. */
    readonly take: (request: TakeNotices) => Effect.Effect<ReadonlyArray<TakenNotice>, ServiceUnavailableError>
    /** Stores how those go on that this worker still holds. */
    readonly settle: (
      worker: string,
      done: ReadonlyArray<NoticeSettlement>
    ) => Effect.Effect<void, ServiceUnavailableError>
    /** Keeps what the worker holds for another lease. */
    readonly renew: (
      worker: string,
      notices: ReadonlyArray<string>,
      lease: Duration.Duration
    ) => Effect.Effect<void, ServiceUnavailableError>
    /** Makes what lost workers held ready again; how many that was. */
    readonly recover: Effect.Effect<number, ServiceUnavailableError>
    /** Makes those ready whose time has come; how many that was. */
    readonly promote: Effect.Effect<number, ServiceUnavailableError>
    /** Says, without saying what, that something became ready. Ends never; survives a lost connection. */
    readonly woken: Stream.Stream<void>
  }
>() {}
