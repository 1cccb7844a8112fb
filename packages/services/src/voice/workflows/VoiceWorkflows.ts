import { ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { afterUpdate } from "@switchboard/domain/Fields"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { checkGraph } from "@switchboard/domain/voice/workflows/CheckGraph"
import {
  type CreateVoiceWorkflow,
  type UpdateVoiceWorkflow,
  VoiceWorkflow
} from "@switchboard/domain/voice/workflows/VoiceWorkflow"
import { VoiceWorkflowId } from "@switchboard/domain/voice/workflows/VoiceWorkflowId"
import type { WorkflowGraph, WorkflowNode } from "@switchboard/domain/voice/workflows/WorkflowGraph"
import { DateTime, Effect } from "effect"
import { newId } from "../../NewId.js"
import { DestinationGuard } from "../../network/DestinationGuard.js"
import { VoiceWorkflowRepo } from "./VoiceWorkflowRepo.js"

/** The error for a workflow that does not exist. */
export const workflowNotFound = (id: VoiceWorkflowId) => new ResourceNotFoundError({ resource: "voiceWorkflow", id })

const invalid = (problems: ReadonlyArray<readonly [field: string, message: string]>) => {
  const fields: Record<string, ReadonlyArray<string>> = {}
  for (const [field, message] of problems) fields[field] = [...(fields[field] ?? []), message]
  return new ValidationError({ message: "The graph is invalid", fields })
}

/** Checked after the change is applied, since nodes and edges may be changed separately. */
const checked = (graph: WorkflowGraph) => {
  const problems = checkGraph(graph)
  return problems.length > 0 ? invalid(problems.map(({ message, path }) => [path.join("."), message])) : Effect.void
}

/** The voice workflows of an organization. */
export class VoiceWorkflows extends Effect.Service<VoiceWorkflows>()("services/VoiceWorkflows", {
  effect: Effect.gen(function* () {
    const repo = yield* VoiceWorkflowRepo
    const guard = yield* DestinationGuard

    /** The URLs of nodes must not be private addresses. Host names are checked again at each request. */
    const checkUrls = Effect.fnUntraced(function* (nodes: ReadonlyArray<WorkflowNode>) {
      const problems: Array<readonly [string, string]> = []
      for (const [at, node] of nodes.entries()) {
        if (node.type !== "action.httpRequest") continue
        yield* Effect.catchTag(guard.checkUrl(node.data.config.url), "DestinationForbidden", ({ message }) =>
          Effect.sync(() => void problems.push([`nodes.${at}.data.config.url`, message]))
        )
      }
      if (problems.length > 0) return yield* invalid(problems)
    })

    const get = Effect.fn("VoiceWorkflows.get")(function* (organization: OrganizationId, id: VoiceWorkflowId) {
      return yield* Effect.mapError(yield* repo.find(organization, id), () => workflowNotFound(id))
    })

    const create = Effect.fn("VoiceWorkflows.create")(function* (
      organization: OrganizationId,
      { isEnabled = true, ...request }: CreateVoiceWorkflow
    ) {
      yield* checkUrls(request.nodes)
      const { id, now } = yield* newId(VoiceWorkflowId)
      const workflow = new VoiceWorkflow(
        { ...request, id, organizationId: organization, isEnabled, version: 0, createdAt: now, updatedAt: now },
        { disableValidation: true }
      )
      yield* repo.insert(workflow)
      return workflow
    })

    /** Changes the given fields of the draft. Calls use the published graph. */
    const update = Effect.fn("VoiceWorkflows.update")(function* (
      organization: OrganizationId,
      id: VoiceWorkflowId,
      { description, viewport, ...request }: UpdateVoiceWorkflow
    ) {
      yield* checkUrls(request.nodes ?? [])
      const updatedAt = yield* DateTime.now
      const changed = yield* repo.change(organization, id, (before) => {
        const after = new VoiceWorkflow(
          {
            ...before,
            name: request.name ?? before.name,
            nodes: request.nodes ?? before.nodes,
            edges: request.edges ?? before.edges,
            isEnabled: afterUpdate(request.isEnabled, before.isEnabled, true),
            description: afterUpdate(description, before.description, undefined),
            viewport: afterUpdate(viewport, before.viewport, undefined),
            updatedAt
          },
          { disableValidation: true }
        )
        return Effect.as(checked(after), after)
      })
      return yield* Effect.mapError(changed, () => workflowNotFound(id))
    })

    const remove = Effect.fn("VoiceWorkflows.remove")(function* (organization: OrganizationId, id: VoiceWorkflowId) {
      if (!(yield* repo.remove(organization, id))) return yield* workflowNotFound(id)
    })

    /** Publishes the draft. Calls that begin from now on use it. */
    const publish = Effect.fn("VoiceWorkflows.publish")(function* (organization: OrganizationId, id: VoiceWorkflowId) {
      const now = yield* DateTime.now
      const published = yield* repo.change(organization, id, (before) => {
        const { edges, nodes, version, viewport } = before
        const after = new VoiceWorkflow(
          {
            ...before,
            publishedNodes: nodes,
            publishedEdges: edges,
            publishedViewport: viewport,
            version: version + 1,
            publishedAt: now,
            updatedAt: now
          },
          { disableValidation: true }
        )
        return Effect.as(checked(after), after)
      })
      return yield* Effect.mapError(published, () => workflowNotFound(id))
    })

    return { get, list: repo.list, create, update, remove, publish, link: repo.link } as const
  })
}) {}
