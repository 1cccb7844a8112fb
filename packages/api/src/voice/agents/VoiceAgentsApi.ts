import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ConflictError, PayloadTooLargeError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { IntegerPageParams, Page } from "@switchboard/domain/Page"
import {
  CreateVoiceAgent,
  DuplicateVoiceAgent,
  UpdateVoiceAgent,
  VoiceAgent,
  VoiceAgentFilters,
  VoiceAgentId
} from "@switchboard/domain/voice/agents/VoiceAgent"
import { Schema } from "effect"
import { Extension, Location, Permission } from "../../Annotations.js"
import { Authorization } from "../../Authorization.js"
import { Removed } from "../../CommonShapes.js"
import { IdempotencyHeaders } from "../../idempotency/IdempotencyKeyHeader.js"
import { Filters } from "../../JsonParameter.js"

const id = Schema.Struct({ id: VoiceAgentId })

/** Query parameters of the list of agents. */
export const VoiceAgentListParams = Schema.Struct({
  ...IntegerPageParams,
  filters: Schema.optional(Filters(VoiceAgentFilters, { isActive: true, transport: "webrtc", search: "desk" }))
})

export const VoiceAgentPage = Page(VoiceAgent).annotations({ identifier: "VoiceAgentPage" })

/** Voice agents. */
export class VoiceAgentsApi extends HttpApiGroup.make("voiceAgents")
  .add(
    HttpApiEndpoint.get("list", "/voice/agents")
      .setUrlParams(VoiceAgentListParams)
      .addSuccess(VoiceAgentPage)
      .annotate(Permission, "voice.read")
      .annotate(OpenApi.Summary, "List voice agents")
      .annotate(
        OpenApi.Description,
        "Voice agents of the organization, newest first. Values of webhook headers are shown only with the permission `voice.write`."
      )
  )
  .add(
    HttpApiEndpoint.post("create", "/voice/agents")
      .setHeaders(IdempotencyHeaders)
      .setPayload(CreateVoiceAgent)
      .addSuccess(VoiceAgent, { status: 201 })
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ValidationError)
      .annotate(Location, "/v1/voice/agents/:id")
      .annotate(Permission, "voice.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Create a voice agent")
      .annotate(
        OpenApi.Description,
        [
          "Without a linked and published workflow, an agent only greets.",
          "",
          "- Events of its calls are posted to the URL of `webhookConfig`, signed according to Standard Webhooks.",
          "- Only this response has the secret, in `webhookConfig`.",
          "- The URL must have a public host, as that of a webhook endpoint."
        ].join("\n")
      )
  )
  .add(
    HttpApiEndpoint.get("get", "/voice/agents/:id")
      .setPath(id)
      .addSuccess(VoiceAgent)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "voice.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Retrieve a voice agent")
      .annotate(OpenApi.Description, "Returns the agent. `workflowId` is the linked workflow.")
  )
  .add(
    HttpApiEndpoint.patch("update", "/voice/agents/:id")
      .setPath(id)
      .setPayload(UpdateVoiceAgent)
      .addSuccess(VoiceAgent)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Permission, "voice.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Update a voice agent")
      .annotate(
        OpenApi.Description,
        "Changes the given fields. `null` resets a field that a creation may omit. `webhookConfig` is replaced completely, including its headers, and keeps its secret. A first `webhookConfig`, or a new one after a removal, gets a new secret, which only this response has."
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/voice/agents/:id")
      .setPath(id)
      .addSuccess(Removed)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "voice.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Delete a voice agent")
      .annotate(OpenApi.Description, "Its workflow stays, without an agent.")
  )
  .add(
    HttpApiEndpoint.post("duplicate", "/voice/agents/:id/duplicate")
      .setPath(id)
      .setHeaders(IdempotencyHeaders)
      .setPayload(DuplicateVoiceAgent)
      .addSuccess(VoiceAgent, { status: 201 })
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Location, "/v1/voice/agents/:id")
      .annotate(Permission, "voice.write")
      .annotate(OpenApi.Summary, "Duplicate a voice agent")
      .annotate(
        OpenApi.Description,
        "Copies all fields, including the webhook with its headers and secret, but not the workflow."
      )
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Voice agents") {}
