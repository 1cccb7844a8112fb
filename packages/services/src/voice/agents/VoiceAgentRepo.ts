import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import type { VoiceAgentEvent, VoiceAgentId, VoiceTransport } from "@switchboard/domain/voice/agents/VoiceAgent"
import type { VoiceAgentFilters } from "@switchboard/domain/voice/agents/VoiceAgentRequests"
import type { VoiceWorkflowId } from "@switchboard/domain/voice/workflows/VoiceWorkflowId"
import { Context, type DateTime, type Effect, type Option } from "effect"

/** Where an agent's calls are told of: its headers and its secret are sealed. */
export interface StoredVoiceWebhook {
  readonly url: string
  readonly events: ReadonlyArray<VoiceAgentEvent>
  readonly headers: Uint8Array | null
  readonly secret: Uint8Array
}

/** An agent as it is stored; which workflow it has is the workflow's to say. */
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

/** Where agents are kept. Every method is one transaction. */
export class VoiceAgentRepo extends Context.Tag("services/VoiceAgentRepo")<
  VoiceAgentRepo,
  {
    readonly insert: (agent: StoredVoiceAgent) => Effect.Effect<void, ServiceUnavailableError>
    readonly find: (
      organization: OrganizationId,
      id: VoiceAgentId
    ) => Effect.Effect<Option.Option<StoredVoiceAgent>, ServiceUnavailableError>
    /** Newest first. */
    readonly list: (
      organization: OrganizationId,
      filters: VoiceAgentFilters,
      page: PageRequest
    ) => Effect.Effect<Page<StoredVoiceAgent>, ServiceUnavailableError>
    /** Stores what `decide` makes of an agent while nobody else changes it, and answers that. None if there is none. */
    readonly change: (
      organization: OrganizationId,
      id: VoiceAgentId,
      decide: (agent: StoredVoiceAgent) => StoredVoiceAgent
    ) => Effect.Effect<Option.Option<StoredVoiceAgent>, ServiceUnavailableError>
    /** Removes an agent, whether it existed. Its workflow stays, and is without an agent. */
    readonly remove: (organization: OrganizationId, id: VoiceAgentId) => Effect.Effect<boolean, ServiceUnavailableError>
  }
>() {}
