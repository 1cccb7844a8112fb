import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type {
  VoiceAgent,
  VoiceAgentEvent,
  VoiceAgentFilters,
  VoiceAgentId
} from "@switchboard/domain/voice/agents/VoiceAgent"
import { Context, type Effect, type Option } from "effect"
import type { ResourceRepo } from "../../ResourceRepo.js"

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
export interface StoredVoiceAgent extends Omit<VoiceAgent, "webhookConfig"> {
  readonly webhook: StoredVoiceWebhook | null
}

/** Stores voice agents. The workflow of a removed agent stays. */
export class VoiceAgentRepo extends Context.Tag("services/VoiceAgentRepo")<
  VoiceAgentRepo,
  ResourceRepo<StoredVoiceAgent, VoiceAgentId, VoiceAgentFilters> & {
    /** The active agent with the id, otherwise the oldest active one. */
    readonly findAnswering: (
      organization: OrganizationId,
      id: VoiceAgentId | null
    ) => Effect.Effect<Option.Option<StoredVoiceAgent>, ServiceUnavailableError>
  }
>() {}
