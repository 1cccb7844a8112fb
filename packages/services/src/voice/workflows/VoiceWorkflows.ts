import { ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { withUpdate } from "@switchboard/domain/Fields"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { checkGraph } from "@switchboard/domain/voice/workflows/CheckGraph"
import {
  type CreateVoiceWorkflow,
  type UpdateVoiceWorkflow,
  VoiceWorkflow
} from "@switchboard/domain/voice/workflows/VoiceWorkflow"
import { VoiceWorkflowId } from "@switchboard/domain/voice/workflows/VoiceWorkflowId"
import type { WorkflowNode } from "@switchboard/domain/voice/workflows/WorkflowGraph"
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

/** A changed workflow with a valid graph: nodes and edges may be changed separately. */
const checked = (fields: ConstructorParameters<typeof VoiceWorkflow>[0]) => {
  const problems = checkGraph(fields)
  return problems.length > 0
    ? invalid(problems.map(({ message, path }) => [path.join("."), message]))
    : Effect.succeed(new VoiceWorkflow(fields, { disableValidation: true }))
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
      request: UpdateVoiceWorkflow
    ) {
      yield* checkUrls(request.nodes ?? [])
      const updatedAt = yield* DateTime.now
      const changed = yield* repo.change(organization, id, (before) =>
        checked({ ...withUpdate(before, request, { isEnabled: true }), updatedAt })
      )
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
        const current = { publishedNodes: nodes, publishedEdges: edges, publishedViewport: viewport }
        return checked({ ...before, ...current, version: version + 1, publishedAt: now, updatedAt: now })
      })
      return yield* Effect.mapError(published, () => workflowNotFound(id))
    })

    return { get, list: repo.list, create, update, remove, publish, link: repo.link } as const
  })
}) {}
