import type { BadRequestError, ResourceNotFoundError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import type { VoiceAgentId } from "@switchboard/domain/voice/agents/VoiceAgent"
import type { VoiceWorkflow, VoiceWorkflowFilters } from "@switchboard/domain/voice/workflows/VoiceWorkflow"
import type { VoiceWorkflowId } from "@switchboard/domain/voice/workflows/VoiceWorkflowId"
import { Context, type Effect, type Option } from "effect"

/** Stores voice workflows. Every method is one transaction. */
export class VoiceWorkflowRepo extends Context.Tag("services/VoiceWorkflowRepo")<
  VoiceWorkflowRepo,
  {
    /** Stores a workflow. */
    readonly insert: (workflow: VoiceWorkflow) => Effect.Effect<void, ServiceUnavailableError>
    /** A workflow of the organization. */
    readonly find: (
      organization: OrganizationId,
      id: VoiceWorkflowId
    ) => Effect.Effect<Option.Option<VoiceWorkflow>, ServiceUnavailableError>
    /** The organization's workflows, newest first. */
    readonly list: (
      organization: OrganizationId,
      filters: VoiceWorkflowFilters,
      page: PageRequest
    ) => Effect.Effect<Page<VoiceWorkflow>, BadRequestError | ServiceUnavailableError>
    /**
     * Locks a workflow and stores the result of `decide`, except for its agent. None if the organization has no such
     * workflow.
     */
    readonly change: <E>(
      organization: OrganizationId,
      id: VoiceWorkflowId,
      decide: (workflow: VoiceWorkflow) => Effect.Effect<VoiceWorkflow, E>
    ) => Effect.Effect<Option.Option<VoiceWorkflow>, E | ServiceUnavailableError>
    /** Removes a workflow and unlinks its agent. Returns whether the workflow existed. */
    readonly remove: (
      organization: OrganizationId,
      id: VoiceWorkflowId
    ) => Effect.Effect<boolean, ServiceUnavailableError>
    /** Links a workflow to an agent. Earlier links of both are removed. */
    readonly link: (
      organization: OrganizationId,
      id: VoiceWorkflowId,
      agent: VoiceAgentId
    ) => Effect.Effect<VoiceWorkflow, ResourceNotFoundError | ServiceUnavailableError>
  }
>() {}
