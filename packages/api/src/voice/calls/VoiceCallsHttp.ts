import { HttpApiBuilder } from "@effect/platform"
import { pageRequest } from "@switchboard/domain/Page"
import { CallTranscript } from "@switchboard/domain/voice/calls/CallTranscript"
import { PlaceVoiceCall } from "@switchboard/domain/voice/calls/VoiceCallRequests"
import { VoiceCall } from "@switchboard/domain/voice/VoiceCall"
import { VoiceCalls } from "@switchboard/services/voice/calls/VoiceCalls"
import { Effect } from "effect"
import { Api } from "../../Api.js"
import { CurrentCaller } from "../../Authorization.js"
import { readBody, readOptionalBody } from "../../Door.js"
import { respond } from "../../Respond.js"
import { NoFields } from "../../Wire.js"
import { CallTold, VoiceCallPage } from "./VoiceCallsApi.js"

const answerCall = respond(VoiceCall)
const answerPlaced = respond(VoiceCall, 201)
const answerPage = respond(VoiceCallPage)
const answerTranscript = respond(CallTranscript)
const answerTold = respond(CallTold)

const readPlace = readBody(PlaceVoiceCall)
const readNothing = readOptionalBody(NoFields)

export const VoiceCallsHttp = HttpApiBuilder.group(
  Api,
  "voiceCalls",
  Effect.fnUntraced(function* (handlers) {
    const calls = yield* VoiceCalls

    /** Tells a call something that needs no words. */
    const telling = (tell: typeof calls.hangUp) =>
      Effect.fnUntraced(function* ({ path: { id } }: { readonly path: { readonly id: VoiceCall["id"] } }) {
        const { organizationId } = yield* CurrentCaller
        yield* readNothing
        yield* tell(organizationId, id)
        return answerTold({ success: true })
      })

    return handlers
      .handleRaw("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(calls.list(organizationId, filters, pageRequest(params)), (found) => answerPage(found))
        )
      )
      .handleRaw("place", () =>
        Effect.gen(function* () {
          const caller = yield* CurrentCaller
          return answerPlaced(yield* calls.place(caller, yield* readPlace))
        })
      )
      .handleRaw("get", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(calls.get(organizationId, id), (call) => answerCall(call))
        )
      )
      .handleRaw("transcript", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(calls.transcript(organizationId, id), (transcript) => answerTranscript(transcript))
        )
      )
      .handleRaw("hangUp", telling(calls.hangUp))
      .handleRaw("startRecording", telling(calls.startRecording))
      .handleRaw("stopRecording", telling(calls.stopRecording))
  })
)
