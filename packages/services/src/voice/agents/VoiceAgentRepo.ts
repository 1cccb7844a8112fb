import type { BadRequestError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import type {
  VoiceAgentEvent,
  VoiceAgentFilters,
  VoiceAgentId,
  VoiceTransport
} from "@switchboard/domain/voice/agents/VoiceAgent"
import type { VoiceWorkflowId } from "@switchboard/domain/voice/workflows/VoiceWorkflowId"
import { Context, type DateTime, type Effect, type Option } from "effect"

/**
 * The webhook of an agent, with encrypted headers and secret. It is stored as the webhook endpoint with the id of the
 * agent, so that its deliveries have the log, the retries and the secrets of endpoints.
 */
export interface StoredVoiceWebhook {
  readonly url: string
  readonly events: ReadonlyArray<VoiceAgentEvent>
  readonly headers: Uint8Array | null
  readonly secret: Uint8Array
}

/** A stored agent. `workflowId` is stored with the workflow. */
export interface StoredVoiceAgent {
  readonly id: VoiceAgentId
  readonly organizationId: OrganizationId
  readonly workflowId: VoiceWorkflowId | null
  readonly name: string
  readonly description: string | null
  readonly systemPrompt: string | null
  readonly voiceId: string | null
  readonly language: string | null
  readonly transport: VoiceTransport
  readonly webhook: StoredVoiceWebhook | null
  readonly isActive: boolean
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

/** Stores voice agents. Every method is one transaction. */
export class VoiceAgentRepo extends Context.Tag("services/VoiceAgentRepo")<
  VoiceAgentRepo,
  {
    /** Stores an agent. */
    readonly insert: (agent: StoredVoiceAgent) => Effect.Effect<void, ServiceUnavailableError>
    /** An agent of the organization. */
    readonly find: (
      organization: OrganizationId,
      id: VoiceAgentId
    ) => Effect.Effect<Option.Option<StoredVoiceAgent>, ServiceUnavailableError>
    /** The active agent with the id, otherwise the oldest active one. */
    readonly findAnswering: (
      organization: OrganizationId,
      id: VoiceAgentId | null
    ) => Effect.Effect<Option.Option<StoredVoiceAgent>, ServiceUnavailableError>
    /** The organization's agents, newest first. */
    readonly list: (
      organization: OrganizationId,
      filters: VoiceAgentFilters,
      page: PageRequest
    ) => Effect.Effect<Page<StoredVoiceAgent>, BadRequestError | ServiceUnavailableError>
    /** Locks an agent and stores the result of `decide`. None if the organization has no such agent. */
    readonly change: (
      organization: OrganizationId,
      id: VoiceAgentId,
      decide: (agent: StoredVoiceAgent) => StoredVoiceAgent
    ) => Effect.Effect<Option.Option<StoredVoiceAgent>, ServiceUnavailableError>
    /** Removes an agent and keeps its workflow. Returns whether the agent existed. */
    readonly remove: (organization: OrganizationId, id: VoiceAgentId) => Effect.Effect<boolean, ServiceUnavailableError>
  }
>() {}
