import { guardLayer } from "@switchboard/channels/testing/network/Guards"
import { loopbackOpen } from "@switchboard/channels/testing/webhooks/Posting"
import { SandboxCarrier } from "@switchboard/channels/voice/SandboxCarrier"
import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import { page } from "@switchboard/domain/Page"
import { VoiceWorkflow } from "@switchboard/domain/voice/workflows/VoiceWorkflow"
import { SecretBox } from "@switchboard/services/SecretBox"
import { MasterKey } from "@switchboard/services/Signatures"
import { type StoredVoiceAgent, VoiceAgentRepo } from "@switchboard/services/voice/agents/VoiceAgentRepo"
import { VoiceAgents } from "@switchboard/services/voice/agents/VoiceAgents"
import { DescribeCall } from "@switchboard/services/voice/calls/DescribeCall"
import { VoiceCalls } from "@switchboard/services/voice/calls/VoiceCalls"
import { VoiceWorkflowRepo } from "@switchboard/services/voice/workflows/VoiceWorkflowRepo"
import { VoiceWorkflows } from "@switchboard/services/voice/workflows/VoiceWorkflows"
import { Effect, Layer, Option, Redacted } from "effect"

import { linksInMemory } from "../objects/LinksInMemory.js"
import { callsInMemory } from "./calls/CallsInMemory.js"

/** Rows of one kind, each organization's own. */
const table = <Row extends { readonly id: string; readonly organizationId: string; readonly name: string }>() => {
  const rows = new Map<string, Row>()
  const find = (organization: string, id: string) =>
    Option.filter(Option.fromNullable(rows.get(id)), ({ organizationId }) => organizationId === organization)
  return {
    rows,
    find,
    put: (row: Row) => void rows.set(row.id, row),
    list: (organization: string, search = "") =>
      [...rows.values()]
        .filter(({ name, organizationId }) => organizationId === organization && name.includes(search))
        .reverse(),
    remove: (organization: string, id: string) => Option.isSome(find(organization, id)) && rows.delete(id)
  }
}

/** Agents and workflows as the use cases make them, kept as long as the test runs. */
export const voiceInMemory = () => {
  const agents = table<StoredVoiceAgent>()
  const workflows = table<VoiceWorkflow>()
  const workflowOf = ({ id }: StoredVoiceAgent) =>
    [...workflows.rows.values()].find(({ voiceAgentId }) => voiceAgentId === id)?.id ?? null
  const withWorkflow = (agent: StoredVoiceAgent) => ({ ...agent, workflowId: workflowOf(agent) })

  const Agents = Layer.succeed(VoiceAgentRepo, {
    insert: (agent) => Effect.sync(() => agents.put(agent)),
    find: (organization, id) => Effect.sync(() => Option.map(agents.find(organization, id), withWorkflow)),
    list: (organization, { search }, request) =>
      Effect.sync(() => {
        const own = agents.list(organization, search).map(withWorkflow)
        return page(own, own.length, request)
      }),
    change: (organization, id, decide) =>
      Effect.sync(() => {
        const changed = Option.map(agents.find(organization, id), (agent) => decide(withWorkflow(agent)))
        if (Option.isSome(changed)) agents.put(changed.value)
        return changed
      }),
    remove: (organization, id) => Effect.sync(() => agents.remove(organization, id))
  })

  const Workflows = Layer.succeed(VoiceWorkflowRepo, {
    insert: (workflow) => Effect.sync(() => workflows.put(workflow)),
    find: (organization, id) => Effect.sync(() => workflows.find(organization, id)),
    list: (organization, { search }, request) =>
      Effect.sync(() => {
        const own = workflows.list(organization, search)
        return page(own, own.length, request)
      }),
    change: (organization, id, decide) =>
      Option.match(workflows.find(organization, id), {
        onNone: () => Effect.succeedNone,
        onSome: (workflow) => Effect.asSome(Effect.tap(decide(workflow), (changed) => workflows.put(changed)))
      }),
    remove: (organization, id) => Effect.sync(() => workflows.remove(organization, id)),
    link: (organization, id, agent) =>
      Effect.gen(function* () {
        const workflow = workflows.find(organization, id)
        if (Option.isNone(workflow)) return yield* new ResourceNotFoundError({ resource: "voiceWorkflow", id })
        if (Option.isNone(agents.find(organization, agent))) {
          return yield* new ResourceNotFoundError({ resource: "voiceAgent", id: agent })
        }
        const linked = new VoiceWorkflow({ ...workflow.value, voiceAgentId: agent }, { disableValidation: true })
        workflows.put(linked)
        return linked
      })
  })

  return Layer.mergeAll(VoiceAgents.Default, VoiceWorkflows.Default, VoiceCalls.Default).pipe(
    Layer.provide(Layer.mergeAll(Agents, Workflows, callsInMemory(), SandboxCarrier)),
    Layer.provide(DescribeCall.Default.pipe(Layer.provide(linksInMemory()))),
    Layer.provide(guardLayer(loopbackOpen)),
    Layer.provide(SecretBox.Live),
    Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32).fill(7))))
  )
}
