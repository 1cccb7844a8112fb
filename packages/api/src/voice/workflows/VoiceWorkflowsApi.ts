import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { PayloadTooLargeError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { Page, PageParams } from "@switchboard/domain/Page"
import { VoiceAgentId } from "@switchboard/domain/voice/agents/VoiceAgent"
import { VoiceWorkflow } from "@switchboard/domain/voice/workflows/VoiceWorkflow"
import { VoiceWorkflowId } from "@switchboard/domain/voice/workflows/VoiceWorkflowId"
import {
  CreateVoiceWorkflow,
  UpdateVoiceWorkflow,
  VoiceWorkflowFilters
} from "@switchboard/domain/voice/workflows/VoiceWorkflowRequests"
import { Schema } from "effect"
import { Examples, Extension, Permission } from "../../Annotations.js"
import { Authorization } from "../../Authorization.js"
import { NoFields, Removed } from "../../CommonShapes.js"
import { Filters } from "../../Filters.js"
import { voiceWorkflowExamples } from "./VoiceWorkflowExamples.js"

const id = Schema.Struct({ id: VoiceWorkflowId })

/** What a list of workflows may be narrowed to. */
export const VoiceWorkflowListParams = Schema.Struct({
  ...PageParams,
  filters: Schema.optional(Filters(VoiceWorkflowFilters, { isEnabled: true, search: "desk" }))
})

export const VoiceWorkflowPage = Page(VoiceWorkflow).annotations({ identifier: "VoiceWorkflowPage" })

/** How calls go. */
export class VoiceWorkflowsApi extends HttpApiGroup.make("voiceWorkflows")
  .add(
    HttpApiEndpoint.get("list", "/voice/workflows")
      .setUrlParams(VoiceWorkflowListParams)
      .addSuccess(VoiceWorkflowPage)
      .annotate(Permission, "voice.read")
      .annotate(OpenApi.Summary, "List voice workflows")
      .annotate(OpenApi.Description, "Workflows of the organization, newest first, with their graphs.")
  )
  .add(
    HttpApiEndpoint.post("create", "/voice/workflows")
      .setPayload(CreateVoiceWorkflow)
      .addSuccess(VoiceWorkflow, { status: 201 })
      .addError(PayloadTooLargeError)
      .addError(ValidationError)
      .annotate(Permission, "voice.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Create a voice workflow")
      .annotate(
        OpenApi.Description,
        [
          "An extension. A call begins at the node `trigger.callStarted` and goes along the edges; after its end it goes on",
          "at `trigger.callEnded`. What a node needs is in `data.config`, as the schema says by the node's type; what else",
          "is there is kept. Out of a menu the edge is taken whose `sourceHandle` is the id of the item that was chosen,",
          "out of a condition the one of `true` or `false`; the edge without one is taken where no other is. Any other",
          "node is left by one edge at most; where there is none, the call ends. A graph is refused (422) that a call could",
          "not follow: with an edge of a node that is missing, an id that is given twice, no trigger or two of a type, a",
          "`sourceHandle` that there is not, two edges by the same way, or a loop without a wait, that is without",
          "`action.listen`, `action.menu` or `logic.delay` in it. Nodes that nothing leads to are allowed. At most 500",
          "nodes, 1000 edges and 256 KiB. Calls follow the workflow once it is published and linked with their agent, as",
          "long as it is enabled."
        ].join(" ")
      )
  )
  .add(
    HttpApiEndpoint.get("get", "/voice/workflows/:id")
      .setPath(id)
      .addSuccess(VoiceWorkflow)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "voice.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Retrieve a voice workflow")
      .annotate(
        OpenApi.Description,
        "An extension. The graph that is worked on, and as `publishedNodes` and `publishedEdges` the one that calls follow."
      )
  )
  .add(
    HttpApiEndpoint.patch("update", "/voice/workflows/:id")
      .setPath(id)
      .setPayload(UpdateVoiceWorkflow)
      .addSuccess(VoiceWorkflow)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Permission, "voice.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Update a voice workflow")
      .annotate(
        OpenApi.Description,
        "An extension. Changes what is given, `nodes` and `edges` each as a whole; null takes description or viewport away. The graph that comes of it is judged as by create. Calls go on by what was published."
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/voice/workflows/:id")
      .setPath(id)
      .addSuccess(Removed)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "voice.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Remove a voice workflow")
      .annotate(OpenApi.Description, "An extension. Its agent stays, and only greets from now on.")
  )
  .add(
    HttpApiEndpoint.post("publish", "/voice/workflows/:id/publish")
      .setPath(id)
      .setPayload(NoFields)
      .addSuccess(VoiceWorkflow)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Permission, "voice.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Publish a voice workflow")
      .annotate(
        OpenApi.Description,
        "An extension. Calls that begin from now on follow the graph as it is. `version` is one more each time, also where nothing has changed."
      )
  )
  .add(
    HttpApiEndpoint.post("link", "/voice/workflows/:workflowId/link/:agentId")
      .setPath(Schema.Struct({ workflowId: VoiceWorkflowId, agentId: VoiceAgentId }))
      .setPayload(NoFields)
      .addSuccess(VoiceWorkflow)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Permission, "voice.write")
      .annotate(OpenApi.Summary, "Link a voice workflow with an agent")
      .annotate(
        OpenApi.Description,
        "A workflow has one agent, an agent one workflow: whichever workflow the agent had is without one from now on, and so is the agent that the workflow had."
      )
  )
  .middleware(Authorization)
  .annotate(Examples, voiceWorkflowExamples)
  .annotate(OpenApi.Title, "Voice workflows") {}
