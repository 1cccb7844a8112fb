import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { PayloadTooLargeError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { Page, PageParams } from "@switchboard/domain/Page"
import { VoiceAgent, VoiceAgentId } from "@switchboard/domain/voice/agents/VoiceAgent"
import {
  CreateVoiceAgent,
  DuplicateVoiceAgent,
  UpdateVoiceAgent,
  VoiceAgentFilters
} from "@switchboard/domain/voice/agents/VoiceAgentRequests"
import { Schema } from "effect"
import { Examples, Extension, Permission } from "../../Annotations.js"
import { Authorization } from "../../Authorization.js"
import { Removed } from "../../CommonShapes.js"
import { Filters } from "../../Filters.js"
import { voiceAgentExamples } from "./VoiceAgentExamples.js"

const id = Schema.Struct({ id: VoiceAgentId })

/** What a list of agents may be narrowed to. */
export const VoiceAgentListParams = Schema.Struct({
  ...PageParams,
  filters: Schema.optional(Filters(VoiceAgentFilters, { isActive: true, transport: "webrtc", search: "desk" }))
})

export const VoiceAgentPage = Page(VoiceAgent).annotations({ identifier: "VoiceAgentPage" })

/** Who speaks in calls. */
export class VoiceAgentsApi extends HttpApiGroup.make("voiceAgents")
  .add(
    HttpApiEndpoint.get("list", "/voice/agents")
      .setUrlParams(VoiceAgentListParams)
      .addSuccess(VoiceAgentPage)
      .annotate(Permission, "voice.read")
      .annotate(OpenApi.Summary, "List voice agents")
      .annotate(
        OpenApi.Description,
        "Agents of the organization, newest first. What the headers of their webhooks say is shown to keys with voice.write alone."
      )
  )
  .add(
    HttpApiEndpoint.post("create", "/voice/agents")
      .setPayload(CreateVoiceAgent)
      .addSuccess(VoiceAgent, { status: 201 })
      .addError(PayloadTooLargeError)
      .addError(ValidationError)
      .annotate(Permission, "voice.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Create a voice agent")
      .annotate(
        OpenApi.Description,
        [
          "An extension. Until it is linked with a workflow that is published, an agent only greets. Its calls are told of",
          "at the URL of `webhookConfig` (all events unless some are named), signed by Standard Webhooks with the secret",
          "that is in `webhookConfig` of this answer alone (an extension). The URL's host must be outside, as that of a",
          "webhook endpoint."
        ].join(" ")
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
      .annotate(
        OpenApi.Description,
        "An extension. One agent as it is now; `workflowId` is the workflow it is linked with."
      )
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
        [
          "An extension. Changes what is given; null takes away what may be left out. `webhookConfig` is replaced as a",
          "whole, without its headers unless they are given, and keeps its secret; one that is given for the first time,",
          "or again after it was taken away, gets a new secret, which is in this answer alone."
        ].join(" ")
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/voice/agents/:id")
      .setPath(id)
      .addSuccess(Removed)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "voice.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Remove a voice agent")
      .annotate(OpenApi.Description, "An extension. Its workflow stays, and is linked with no agent.")
  )
  .add(
    HttpApiEndpoint.post("duplicate", "/voice/agents/:id/duplicate")
      .setPath(id)
      .setPayload(DuplicateVoiceAgent)
      .addSuccess(VoiceAgent, { status: 201 })
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Permission, "voice.write")
      .annotate(OpenApi.Summary, "Duplicate a voice agent")
      .annotate(
        OpenApi.Description,
        "Makes another agent of all that this one is told, its webhook with headers and secret too, but for its workflow, which has one agent alone. Without a `name` it is called as this one, with ` (copy)` behind it."
      )
  )
  .middleware(Authorization)
  .annotate(Examples, voiceAgentExamples)
  .annotate(OpenApi.Title, "Voice agents") {}
