import { HttpApiBuilder } from "@effect/platform"
import { pageRequest } from "@switchboard/domain/Page"
import { type VoiceCall, VoiceCallId } from "@switchboard/domain/voice/VoiceCall"
import { VoiceCalls } from "@switchboard/services/voice/calls/VoiceCalls"
import { Effect } from "effect"
import { Api } from "../../Api.js"
import { CurrentCaller } from "../../Authorization.js"
import { withBodies } from "../../http/WithBodies.js"
import { handleOnce } from "../../idempotency/HandleOnce.js"
import type { CallCommandAccepted } from "./VoiceCallsApi.js"

const accepted: typeof CallCommandAccepted.Type = { success: true }

export const VoiceCallsHttp = HttpApiBuilder.group(
  Api,
  "voiceCalls",
  Effect.fnUntraced(function* (handlers) {
    const calls = yield* VoiceCalls
    const once = yield* handleOnce

    /** A handler for a command without a body. */
    const handleCommand =
      (command: typeof calls.hangUp) =>
      ({ path: { id } }: { readonly path: { readonly id: VoiceCall["id"] } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => Effect.as(command(organizationId, id), accepted))

    return yield* handlers
      .handle("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => calls.list(organizationId, filters, pageRequest(params)))
      )
      .handle(
        "place",
        once(
          ({ payload }, caller) => calls.place(caller, payload),
          (id, { organizationId }) => calls.get(organizationId, VoiceCallId.make(id))
        )
      )
      .handle(
        "simulate",
        once(
          ({ payload }, caller) => calls.receive(caller, payload),
          (id, { organizationId }) => calls.get(organizationId, VoiceCallId.make(id))
        )
      )
      .handle("get", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => calls.get(organizationId, id))
      )
      .handle("transcript", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => calls.transcript(organizationId, id))
      )
      .handle("hangUp", handleCommand(calls.hangUp))
      .handle("startRecording", handleCommand(calls.startRecording))
      .handle("stopRecording", handleCommand(calls.stopRecording))
      .pipe(withBodies)
  })
)
