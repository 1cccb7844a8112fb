import type { ResourceNotFoundError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import type { VoiceAgentId } from "@switchboard/domain/voice/agents/VoiceAgent"
import type { VoiceWorkflow } from "@switchboard/domain/voice/workflows/VoiceWorkflow"
import type { VoiceWorkflowId } from "@switchboard/domain/voice/workflows/VoiceWorkflowId"
import type { VoiceWorkflowFilters } from "@switchboard/domain/voice/workflows/VoiceWorkflowRequests"
import { Context, type Effect, type Option } from "effect"

/** Where workflows are kept. Every method is one transaction. */
export class VoiceWorkflowRepo extends Context.Tag("services/VoiceWorkflowRepo")<
  VoiceWorkflowRepo,
  {
    readonly insert: (workflow: VoiceWorkflow) => Effect.Effect<void, ServiceUnavailableError>
    readonly find: (
      organization: OrganizationId,
      id: VoiceWorkflowId
    ) => Effect.Effect<Option.Option<VoiceWorkflow>, ServiceUnavailableError>
    /** Newest first. */
    readonly list: (
      organization: OrganizationId,
      filters: VoiceWorkflowFilters,
      page: PageRequest
    ) => Effect.Effect<Page<VoiceWorkflow>, ServiceUnavailableError>
    /** Stores what `decide` makes of a workflow while nobody else changes it, but not its agent. None if there is none. */
    readonly change: <E>(
      organization: OrganizationId,
      id: VoiceWorkflowId,
      decide: (workflow: VoiceWorkflow) => Effect.Effect<VoiceWorkflow, E>
    ) => Effect.Effect<Option.Option<VoiceWorkflow>, E | ServiceUnavailableError>
    /** Removes a workflow, whether it existed. Its agent is without one. */
    readonly remove: (
      organization: OrganizationId,
      id: VoiceWorkflowId
    ) => Effect.Effect<boolean, ServiceUnavailableError>
    /** Gives an agent a workflow: whichever it had is without an agent, and so is the agent that the workflow had. */
    readonly link: (
      organization: OrganizationId,
      id: VoiceWorkflowId,
      agent: VoiceAgentId
    ) => Effect.Effect<VoiceWorkflow, ResourceNotFoundError | ServiceUnavailableError>
  }
>() {}
