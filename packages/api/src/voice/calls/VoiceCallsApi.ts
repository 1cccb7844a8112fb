import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ConflictError, PayloadTooLargeError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { Page, PageParams } from "@switchboard/domain/Page"
import { CallTranscript } from "@switchboard/domain/voice/calls/CallTranscript"
import { PlaceVoiceCall, VoiceCallFilters } from "@switchboard/domain/voice/calls/VoiceCallRequests"
import { VoiceCall, VoiceCallId } from "@switchboard/domain/voice/VoiceCall"
import { Schema } from "effect"
import { Examples, Extension, Permission } from "../../Annotations.js"
import { Authorization } from "../../Authorization.js"
import { NoFields } from "../../CommonShapes.js"
import { Filters } from "../../Filters.js"
import { voiceCallExamples } from "./VoiceCallExamples.js"

const id = Schema.Struct({ id: VoiceCallId })

/** What a list of calls may be narrowed to. */
export const VoiceCallListParams = Schema.Struct({
  ...PageParams,
  filters: Schema.optional(Filters(VoiceCallFilters, { status: "completed", direction: "outbound" }))
})

export const VoiceCallPage = Page(VoiceCall).annotations({ identifier: "VoiceCallPage" })

/** A call was told something, and does it. */
export const CallTold = Schema.Struct({ success: Schema.Literal(true) }).annotations({ identifier: "CallTold" })

/** What agents speak in. */
export class VoiceCallsApi extends HttpApiGroup.make("voiceCalls")
  .add(
    HttpApiEndpoint.get("list", "/voice/calls")
      .setUrlParams(VoiceCallListParams)
      .addSuccess(VoiceCallPage)
      .annotate(Permission, "voice.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "List voice calls")
      .annotate(OpenApi.Description, "An extension. Calls of the organization, newest first.")
  )
  .add(
    HttpApiEndpoint.post("place", "/voice/calls")
      .setPayload(PlaceVoiceCall)
      .addSuccess(VoiceCall, { status: 201 })
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Permission, "voice.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Place a voice call")
      .annotate(
        OpenApi.Description,
        [
          "An extension. Has an agent, which must be active (409), call a number (E.164) by its workflow as it is published",
          "now; without a published and enabled one the agent only greets. The call is `queued`, `ringing`, `in_progress`",
          "and `completed`, or else `busy`, `no_answer`, `failed` or `cancelled`. It costs nothing.",
          "Until a real carrier is configured, calls are carried by the sandbox, and say so in",
          "`metadata.customFields.carrier`: nobody's telephone rings. Speech takes its time, 2.5 words a second, and the",
          "call's own time goes faster than the clock (`metadata.customFields.speed`, 5 unless `sandbox.speed` says",
          "otherwise): `durationSeconds`, transcript and recording go by the call's own time. The person at the other end",
          "says `sandbox.answers` to one listening or menu after the other, then the node's `sandboxReply`, then the first",
          "item of a menu or a usual sentence; an empty answer is silence. Numbers that end in 0001 are busy, in 0002",
          "nobody answers, in 0003 the call fails. An `ai.respond` says that no model answers here. A message that the",
          "workflow sends is sent indeed, if the key that placed the call may send messages; a request is made indeed, to",
          "outside alone. If either fails, the call goes on, and its transcript says so. A call has at most 1000 steps, 50",
          "messages and requests, and an hour."
        ].join(" ")
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
        "The links to transcript (text) and recording (WAV, 8 kHz, 16 bits, mono) are there once the call is over, signed, and good for 15 minutes."
      )
  )
  .add(
    HttpApiEndpoint.get("transcript", "/voice/calls/:id/transcript")
      .setPath(id)
      .addSuccess(CallTranscript)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "voice.read")
      .annotate(OpenApi.Summary, "Retrieve the transcript of a voice call")
      .annotate(OpenApi.Description, "There is one once the call is over, if anything was said in it.")
  )
  .add(
    HttpApiEndpoint.post("hangUp", "/voice/calls/:id/hangup")
      .setPath(id)
      .setPayload(NoFields)
      .addSuccess(CallTold)
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Permission, "voice.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Hang up a voice call")
      .annotate(
        OpenApi.Description,
        "An extension. A call that is not answered yet is `cancelled`; one that is in progress ends as of now, and is `completed` in a moment. One that is over is refused (409)."
      )
  )
  .add(
    HttpApiEndpoint.post("startRecording", "/voice/calls/:id/recording/start")
      .setPath(id)
      .setPayload(NoFields)
      .addSuccess(CallTold)
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Permission, "voice.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Start the recording of a voice call")
      .annotate(
        OpenApi.Description,
        "An extension. Calls are recorded from their answer on: this goes on with a recording that was stopped, behind what was recorded before, without what was between. Refused (409) unless the call is in progress and not recorded."
      )
  )
  .add(
    HttpApiEndpoint.post("stopRecording", "/voice/calls/:id/recording/stop")
      .setPath(id)
      .setPayload(NoFields)
      .addSuccess(CallTold)
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Permission, "voice.write")
      .annotate(OpenApi.Summary, "Stop the recording of a voice call")
      .annotate(
        OpenApi.Description,
        "Nothing of the call is recorded from now on; what was recorded can be fetched once the call is over. Refused (409) unless the call is in progress and recorded."
      )
  )
  .middleware(Authorization)
  .annotate(Examples, voiceCallExamples)
  .annotate(OpenApi.Title, "Voice calls") {}
