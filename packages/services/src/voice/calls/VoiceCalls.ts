import type { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import { type Permissions, permits } from "@switchboard/domain/apiKeys/Permission"
import { ConflictError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { PageRequest } from "@switchboard/domain/Page"
import {
  defaultSpeed,
  type PlaceVoiceCall,
  type SandboxOptions,
  type SimulateVoiceCall,
  type VoiceCallFilters,
  VoiceCallId
} from "@switchboard/domain/voice/VoiceCall"
import type { WorkflowGraph } from "@switchboard/domain/voice/workflows/WorkflowGraph"
import { DateTime, Effect, Option } from "effect"
import { isPossiblePhoneNumber } from "libphonenumber-js/max"
import { newId } from "../../NewId.js"
import { NumberRepo } from "../../sms/NumberRepo.js"
import { type StoredVoiceAgent, VoiceAgentRepo } from "../agents/VoiceAgentRepo.js"
import { agentNotFound } from "../agents/VoiceAgents.js"
import { VoiceWorkflowRepo } from "../workflows/VoiceWorkflowRepo.js"
import { callTimeMs, hangUp, startRecording, stopRecording } from "./ChangeCall.js"
import { type CallRun, DescribeCall, type StoredCall } from "./StoredCall.js"
import { type CallChange, VoiceCallRepo } from "./VoiceCallRepo.js"
import { type CarrierCommand, VoiceCarrier } from "./VoiceCarrier.js"

/** The workflow of an agent without a published one: a greeting. */
const greetingGraph = (agentName: string): WorkflowGraph => ({
  nodes: [
    { id: "start", type: "trigger.callStarted" },
    { id: "greeting", type: "action.speak", data: { config: { text: `Hello, this is ${agentName}.` } } }
  ],
  edges: [{ id: "start-greeting", source: "start", target: "greeting" }]
})

/** The API key that places a call. */
export interface CallPlacer {
  readonly organizationId: OrganizationId
  readonly apiKeyId: ApiKeyId
  readonly permissions: Permissions
}

const callNotFound = (id: VoiceCallId) => new ResourceNotFoundError({ resource: "voiceCall", id })

const checkNumbers = ({ from, to }: PlaceVoiceCall) => {
  const impossible = { to, from }
  const fields = Object.entries(impossible).flatMap(([name, number]) =>
    number === undefined || isPossiblePhoneNumber(number)
      ? []
      : [[name, ["is not a number that can be called"]] as const]
  )
  return fields.length === 0
    ? Effect.void
    : new ValidationError({ message: "The request body is invalid", fields: Object.fromEntries(fields) })
}

const inactive = new ConflictError({ message: "The agent is not active", resource: "voiceAgent" })

const noAgent = new ConflictError({
  message: "No agent answers the calls of this number: create an active agent",
  resource: "voiceAgent"
})

const notOwned = new ValidationError({
  message: "The request body is invalid",
  fields: { to: ["must be a number of the organization with the channel voice"] }
})

/** The calls of an organization. */
export class VoiceCalls extends Effect.Service<VoiceCalls>()("services/VoiceCalls", {
  effect: Effect.gen(function* () {
    const repo = yield* VoiceCallRepo
    const agents = yield* VoiceAgentRepo
    const workflows = yield* VoiceWorkflowRepo
    const numbers = yield* NumberRepo
    const carrier = yield* VoiceCarrier
    const describing = yield* DescribeCall
    const { describe } = describing

    /** The published workflow of an agent, otherwise the greeting. */
    const graphOf = Effect.fnUntraced(function* ({ name, organizationId, workflowId }: StoredVoiceAgent) {
      const workflow = workflowId === undefined ? Option.none() : yield* workflows.find(organizationId, workflowId)
      if (Option.isNone(workflow)) return greetingGraph(name)
      const { isEnabled, publishedEdges: edges = [], publishedNodes: nodes } = workflow.value
      const published: WorkflowGraph = isEnabled && nodes !== undefined ? { nodes, edges } : greetingGraph(name)
      return published
    })

    /** A call of an agent with its published workflow, before it begins. */
    const newCall = Effect.fnUntraced(function* (
      agent: StoredVoiceAgent,
      { answers = [], speed = defaultSpeed }: SandboxOptions,
      parties: Pick<StoredCall, "direction" | "from" | "to" | "phoneNumberId">
    ) {
      const { edges, nodes } = yield* graphOf(agent)
      const { id, now } = yield* newId(VoiceCallId)
      const call: StoredCall = {
        ...{ id, organizationId: agent.organizationId, voiceAgentId: agent.id },
        ...{ transport: agent.transport, ...parties, status: "queued" },
        metadata: {
          sttLanguage: agent.language,
          ttsVoice: agent.voiceId,
          customFields: { carrier: carrier.name, speed }
        },
        ...{ speed, untilMs: 0, recorded: [], createdAt: now, updatedAt: now }
      }
      return {
        call,
        script: { agentName: agent.name, nodes, edges, answers, systemPrompt: agent.systemPrompt ?? null }
      }
    })

    const runOf = (
      { apiKeyId, permissions }: CallPlacer,
      script: CallRun["script"],
      inbox: CallRun["inbox"]
    ): CallRun => ({
      ...{ script, apiKeyId, inbox, progress: null },
      maySendMessages: permits(permissions, "messages.send")
    })

    /** Places a call with an agent. Default of `from`: the organization's first number for calls. */
    const place = Effect.fn("VoiceCalls.place")(function* (caller: CallPlacer, request: PlaceVoiceCall) {
      const { from, sandbox = {}, to, voiceAgentId } = request
      yield* checkNumbers(request)
      const stored = yield* agents.find(caller.organizationId, voiceAgentId)
      const agent = yield* Effect.mapError(stored, () => agentNotFound(voiceAgentId))
      if (!agent.isActive) return yield* inactive
      const own = Option.getOrUndefined(yield* numbers.findVoice(caller.organizationId, from))
      const { call, script } = yield* newCall(agent, sandbox, {
        ...{ direction: "outbound", to },
        from: from ?? own?.number,
        phoneNumberId: own?.id
      })
      return yield* describe(yield* repo.place(call, runOf(caller, script, [])))
    })

    /**
     * Receives a call to a number of the organization: the agent of the number answers it, or the oldest active one. The
     * workflow has the permissions of the key.
     */
    const receive = Effect.fn("VoiceCalls.receive")(function* (
      caller: CallPlacer,
      { from, sandbox = {}, to }: SimulateVoiceCall
    ) {
      const { organizationId } = caller
      const own = yield* Effect.mapError(yield* numbers.findVoice(organizationId, to), () => notOwned)
      const answering = yield* agents.findAnswering(organizationId, own.voiceAgentId ?? null)
      const agent = yield* Effect.mapError(answering, () => noAgent)
      const parties = { direction: "inbound", from, to, phoneNumberId: own.id } as const
      const { call, script } = yield* newCall(agent, sandbox, parties)
      const at = DateTime.toEpochMillis(call.createdAt)
      const arrived = { ...call, callControlId: `${carrier.name}-${call.id}`, initiatedAt: call.createdAt }
      const rings = { id: "Ringing", at, event: { _tag: "Ringing" } } as const
      return yield* describe(yield* repo.place(arrived, runOf(caller, script, [rings])))
    })

    const get = Effect.fn("VoiceCalls.get")(function* (organization: OrganizationId, id: VoiceCallId) {
      return yield* describe(yield* Effect.mapError(yield* repo.find(organization, id), () => callNotFound(id)))
    })

    const list = Effect.fn("VoiceCalls.list")(function* (
      organization: OrganizationId,
      filters: VoiceCallFilters,
      request: PageRequest
    ) {
      const { items, ...rest } = yield* repo.list(organization, filters, request)
      return { ...rest, items: yield* Effect.forEach(items, describe) }
    })

    /** The link to the transcript of a finished call. */
    const transcript = Effect.fn("VoiceCalls.transcript")(function* (organization: OrganizationId, id: VoiceCallId) {
      const { transcriptUrl } = yield* get(organization, id)
      return { callId: id, transcriptUrl, hasTranscript: transcriptUrl !== undefined }
    })

    /** Changes a call and gives the command to the carrier, or does neither. */
    const changing = (
      decide: (call: StoredCall) => Effect.Effect<CallChange, ConflictError>,
      command: CarrierCommand
    ) => {
      const change = Effect.fnUntraced(function* (call: StoredCall) {
        const changed = yield* decide(call)
        yield* carrier.execute(call, command, callTimeMs(call, yield* DateTime.now))
        return changed
      })
      return Effect.fnUntraced(function* (organization: OrganizationId, id: VoiceCallId) {
        if (!(yield* repo.change(organization, id, change))) return yield* callNotFound(id)
      })
    }

    return {
      place,
      receive,
      get,
      list,
      transcript,
      hangUp: changing(hangUp(describing), { _tag: "HangUp" }),
      startRecording: changing(startRecording, { _tag: "Record" }),
      stopRecording: changing(stopRecording, { _tag: "StopRecording" })
    } as const
  })
}) {}
