import type { ResourceNotFoundError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { VoiceAgentId } from "@switchboard/domain/voice/agents/VoiceAgent"
import type { VoiceWorkflow, VoiceWorkflowFilters } from "@switchboard/domain/voice/workflows/VoiceWorkflow"
import type { VoiceWorkflowId } from "@switchboard/domain/voice/workflows/VoiceWorkflowId"
import { Context, type Effect } from "effect"
import type { ResourceRepo } from "../../ResourceRepo.js"

/** Stores voice workflows. A change leaves their agent. */
export class VoiceWorkflowRepo extends Context.Tag("services/VoiceWorkflowRepo")<
  VoiceWorkflowRepo,
  ResourceRepo<VoiceWorkflow, VoiceWorkflowId, VoiceWorkflowFilters> & {
    /** Links a workflow to an agent. Earlier links of both are removed. */
    readonly link: (
      organization: OrganizationId,
      id: VoiceWorkflowId,
      agent: VoiceAgentId
    ) => Effect.Effect<VoiceWorkflow, ResourceNotFoundError | ServiceUnavailableError>
  }
>() {}
