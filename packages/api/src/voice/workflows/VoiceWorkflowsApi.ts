import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ConflictError, PayloadTooLargeError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { IntegerPageParams, Page } from "@switchboard/domain/Page"
import { VoiceAgentId } from "@switchboard/domain/voice/agents/VoiceAgent"
import {
  CreateVoiceWorkflow,
  UpdateVoiceWorkflow,
  VoiceWorkflow,
  VoiceWorkflowFilters
} from "@switchboard/domain/voice/workflows/VoiceWorkflow"
import { VoiceWorkflowId } from "@switchboard/domain/voice/workflows/VoiceWorkflowId"
import { Schema } from "effect"
import { Audit, Extension, Location, Permission } from "../../Annotations.js"
import { Authorization } from "../../Authorization.js"
import { NoFields, Removed } from "../../CommonShapes.js"
import { IdempotencyHeaders } from "../../idempotency/IdempotencyKeyHeader.js"
import { Filters } from "../../JsonParameter.js"

const id = Schema.Struct({ id: VoiceWorkflowId })

/** Query parameters of the list of workflows. */
export const VoiceWorkflowListParams = Schema.Struct({
  ...IntegerPageParams,
  filters: Schema.optional(Filters(VoiceWorkflowFilters, { isEnabled: true, search: "desk" }))
})

export const VoiceWorkflowPage = Page(VoiceWorkflow).annotations({ identifier: "VoiceWorkflowPage" })

/** Workflows that voice calls follow. */
export class VoiceWorkflowsApi extends HttpApiGroup.make("voiceWorkflows")
  .add(
    HttpApiEndpoint.get("list", "/voice/workflows")
      .setUrlParams(VoiceWorkflowListParams)
      .addSuccess(VoiceWorkflowPage)
      .annotate(Permission, "voice.read")
      .annotate(OpenApi.Summary, "List voice workflows")
      .annotate(OpenApi.Description, "Voice workflows of the organization with their graphs, newest first.")
  )
  .add(
    HttpApiEndpoint.post("create", "/voice/workflows")
      .setHeaders(IdempotencyHeaders)
      .setPayload(CreateVoiceWorkflow)
      .addSuccess(VoiceWorkflow, { status: 201 })
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ValidationError)
      .annotate(Location, "/v1/voice/workflows/:id")
      .annotate(Permission, "voice.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Create a voice workflow")
      .annotate(
        OpenApi.Description,
        [
          "Stores a draft graph. Calls follow it once it is published, linked with their agent and enabled.",
          "",
          "- A call begins at the node `trigger.callStarted` and follows the edges. After its end it continues at `trigger.callEnded`.",
          "- The node type defines the fields of `data.config`. Other fields are stored.",
          "- A menu uses the edge whose `sourceHandle` is the id of the selected item, a condition the edge `true` or `false`. The edge without `sourceHandle` is used for any other outcome.",
          "- Any other node has at most one outgoing edge. Without one, the call ends.",
          "- At most 500 nodes, 1000 edges and 256 KiB.",
          "",
          "A graph is rejected (422) if it has:",
          "",
          "- an edge of a missing node, or a repeated id,",
          "- no trigger, or two triggers of a type,",
          "- an unknown `sourceHandle`, or two edges for the same outcome,",
          "- a loop without `action.listen`, `action.menu` or `logic.delay`.",
          "",
          "Unreachable nodes are allowed."
        ].join("\n")
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
        "`nodes` and `edges` are the draft graph. Calls follow `publishedNodes` and `publishedEdges`."
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
        "Changes the given fields of the draft. `nodes` and `edges` are replaced completely. `null` resets a field that a creation may omit. The graph is validated as by create. Calls follow the published graph."
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/voice/workflows/:id")
      .setPath(id)
      .addSuccess(Removed)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "voice.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Delete a voice workflow")
      .annotate(OpenApi.Description, "Its agent stays, and only greets.")
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
        "New calls follow the draft graph. `version` is incremented, even without changes."
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
      .annotate(Audit, { values: "resource", path: "/v1/voice/agents/:agentId" })
      .annotate(Permission, "voice.write")
      .annotate(OpenApi.Summary, "Link a voice workflow with an agent")
      .annotate(
        OpenApi.Description,
        "A workflow has one agent, and an agent one workflow. Earlier links of both are removed."
      )
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Voice workflows") {}
