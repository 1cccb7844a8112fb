import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ConflictError, PayloadTooLargeError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { IntegerPageParams, Page } from "@switchboard/domain/Page"
import { CallTranscript } from "@switchboard/domain/voice/calls/SummarizeCall"
import {
  PlaceVoiceCall,
  SimulateVoiceCall,
  VoiceCall,
  VoiceCallFilters,
  VoiceCallId
} from "@switchboard/domain/voice/VoiceCall"
import { Schema } from "effect"
import { Audit, auditReasons, Extension, Location, Permission } from "../../Annotations.js"
import { Authorization } from "../../Authorization.js"
import { NoFields } from "../../CommonShapes.js"
import { IdempotencyHeaders } from "../../idempotency/IdempotencyKeyHeader.js"
import { Filters } from "../../JsonParameter.js"

const id = Schema.Struct({ id: VoiceCallId })

/** Query parameters of the list of calls. */
export const VoiceCallListParams = Schema.Struct({
  ...IntegerPageParams,
  filters: Schema.optional(Filters(VoiceCallFilters, { status: "completed", direction: "outbound" }))
})

export const VoiceCallPage = Page(VoiceCall).annotations({ identifier: "VoiceCallPage" })

/** The response to a command for a call that was accepted. */
export const CallCommandAccepted = Schema.Struct({ success: Schema.Literal(true) }).annotations({
  identifier: "CallCommandAccepted"
})

/** The reason of a rule for the audit log. */
const callHistory = "The call has a history of its own."

/** Calls of voice agents. */
export class VoiceCallsApi extends HttpApiGroup.make("voiceCalls")
  .add(
    HttpApiEndpoint.get("list", "/voice/calls")
      .setUrlParams(VoiceCallListParams)
      .addSuccess(VoiceCallPage)
      .annotate(Permission, "voice.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "List voice calls")
      .annotate(OpenApi.Description, "Voice calls of the organization, newest first.")
  )
  .add(
    HttpApiEndpoint.post("place", "/voice/calls")
      .setHeaders(IdempotencyHeaders)
      .setPayload(PlaceVoiceCall)
      .addSuccess(VoiceCall, { status: 201 })
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Audit, { unaudited: "The call has a record of its own, with its key." })
      .annotate(Location, "/v1/voice/calls/:id")
      .annotate(Permission, "voice.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Place a voice call")
      .annotate(
        OpenApi.Description,
        [
          "Calls a number with an agent and its published workflow. Without a published and enabled workflow, the agent only greets. 409: the agent is not active.",
          "",
          "The call joins the open conversation with the person, or starts one (`conversationId`).",
          "",
          "The status is `queued`, `ringing`, `in_progress`, then `completed`; otherwise `busy`, `no_answer`, `failed` or `cancelled`. A call is free of charge.",
          "",
          "Without a configured carrier, the *sandbox carrier* simulates the call (`metadata.customFields.carrier`):",
          "",
          "- No telephone rings. Numbers that end in 0001 are busy, in 0002 do not answer, in 0003 fail.",
          "- Speech takes 2.5 words per second. Simulated time runs faster than the clock, by `metadata.customFields.speed`. `durationSeconds`, transcript and recording use simulated time.",
          "- The simulated person replies to each listening or menu node with the next text of `sandbox.answers`, then with `sandboxReply` of the node, then with the first menu item or a standard sentence. An empty text is silence.",
          "- `ai.respond` responds that no language model is available.",
          "- Nodes that send messages really send them, if the key has the permission `messages.send`. HTTP requests are really made, to public hosts. If one fails, the call continues and the transcript has the error.",
          "- A call has at most 1000 steps, 50 messages and requests, and one hour."
        ].join("\n")
      )
  )
  .add(
    HttpApiEndpoint.post("simulate", "/voice/calls/simulate")
      .setHeaders(IdempotencyHeaders)
      .setPayload(SimulateVoiceCall)
      .addSuccess(VoiceCall, { status: 201 })
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ValidationError)
      .annotate(Audit, { unaudited: auditReasons.sandbox })
      .annotate(Location, "/v1/voice/calls/:id")
      .annotate(Permission, "voice.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Simulate an inbound voice call")
      .annotate(
        OpenApi.Description,
        "Calls a number of the organization by the *sandbox carrier*, as a person with the number `from` would. The agent of the number answers (`switchboard numbers add --agent`), otherwise the oldest active agent. 409: no agent is active."
      )
  )
  .add(
    HttpApiEndpoint.get("get", "/voice/calls/:id")
      .setPath(id)
      .addSuccess(VoiceCall)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "voice.read")
      .annotate(OpenApi.Summary, "Retrieve a voice call")
      .annotate(
        OpenApi.Description,
        "After the call, it has download links of the transcript (text) and the recording (WAV, 8 kHz, 16 bits, mono), valid for 15 minutes."
      )
  )
  .add(
    HttpApiEndpoint.get("transcript", "/voice/calls/:id/transcript")
      .setPath(id)
      .addSuccess(CallTranscript)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "voice.read")
      .annotate(OpenApi.Summary, "Retrieve the transcript of a voice call")
      .annotate(OpenApi.Description, "The transcript exists after the call, if anything was said.")
  )
  .add(
    HttpApiEndpoint.post("hangUp", "/voice/calls/:id/hangup")
      .setPath(id)
      .setPayload(NoFields)
      .addSuccess(CallCommandAccepted)
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Audit, { withoutValues: callHistory })
      .annotate(Permission, "voice.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Hang up a voice call")
      .annotate(
        OpenApi.Description,
        "A call that is not answered yet becomes `cancelled`. A call in progress becomes `completed`. 409: the call is over."
      )
  )
  .add(
    HttpApiEndpoint.post("startRecording", "/voice/calls/:id/recording/start")
      .setPath(id)
      .setPayload(NoFields)
      .addSuccess(CallCommandAccepted)
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Audit, { withoutValues: callHistory })
      .annotate(Permission, "voice.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Start the recording of a voice call")
      .annotate(
        OpenApi.Description,
        "Recording starts automatically when the call is answered. This operation continues a stopped recording; the pause is omitted. 409: the call is not in progress, or is already recorded."
      )
  )
  .add(
    HttpApiEndpoint.post("stopRecording", "/voice/calls/:id/recording/stop")
      .setPath(id)
      .setPayload(NoFields)
      .addSuccess(CallCommandAccepted)
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Audit, { withoutValues: callHistory })
      .annotate(Permission, "voice.write")
      .annotate(OpenApi.Summary, "Stop the recording of a voice call")
      .annotate(
        OpenApi.Description,
        "Stops the recording. The recorded part is available after the call. 409: the call is not in progress, or is not recorded."
      )
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Voice calls") {}
