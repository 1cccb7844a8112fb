import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { CallCommand } from "@switchboard/domain/voice/calls/CallControl"
import type { CallLine } from "@switchboard/domain/voice/calls/CallProgress"
import { Context, type Effect, type Stream } from "effect"
import type { StoredCall } from "./StoredCall.js"

/** A span of a call, in call time. */
export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** The recording of a call, which is made or downloaded while it is read. */
export interface Recording {
  readonly contentType: string
  readonly contentLength: number
  readonly bytes: Stream.Stream<Uint8Array>
}

/** A command to a carrier. */
export type CarrierCommand =
  | Exclude<CallCommand, { readonly _tag: "Wait" }>
  /** Answers an inbound call; followed by `Answered`. */
  | { readonly _tag: "Answer" }
  | { readonly _tag: "Record" }
  | { readonly _tag: "StopRecording" }
  /** Connects the caller to a phone number or SIP address. The call of the agent is over. */
  | { readonly _tag: "Transfer"; readonly to: string }
  | { readonly _tag: "HangUp" }

/**
 * The carrier of voice calls: commands go out, and events come in through `VoiceCallRepo.deliver`, from any process and at
 * any time. A command may be repeated after a lost worker: the pair of call and command id identifies it. Events repeat
 * the id of the command that they end, so that a late one changes nothing.
 *
 * How the public APIs of two carriers map to it:
 *
 * | here | Twilio Voice | Telnyx Call Control |
 * | --- | --- | --- |
 * | `dial` | `POST /Calls.json` with `StatusCallback` | `POST /v2/calls` with `webhook_url` |
 * | `callControlId` | `CallSid` | `call_control_id` |
 * | `Answer` | TwiML in the response to the webhook of the number | `actions/answer` |
 * | `Say`, `Play` | `<Say>`, `<Play>` and `<Redirect>`, by `POST /Calls/{sid}.json` | `actions/speak`, `actions/playback_start` |
 * | `Gather` | `<Gather input="speech dtmf" hints timeout action>` with the prompt as `<Say>` in it | `actions/gather_using_speak` (keys), `actions/transcription_start` (speech) |
 * | `Record`, `StopRecording` | `POST /Calls/{sid}/Recordings.json`, `Status=paused` | `actions/record_start`, `actions/record_stop` |
 * | `Transfer` | `<Dial>` | `actions/transfer` |
 * | `HangUp` | `Status=completed` | `actions/hangup` |
 * | command id | in the URL of `action` and `<Redirect>` | `client_state`, and `command_id` against repeats |
 * | `Ringing` | `CallStatus=ringing` | `call.initiated` |
 * | `Answered` | `CallStatus=in-progress` | `call.answered`, with `call_session_id` |
 * | `Media` | the request of `<Redirect>` | `call.speak.ended`, `call.playback.ended` |
 * | `Speech`, `Digits`, `Silence` | `SpeechResult`, `Digits` or neither in the request of `action` | `call.transcription`, `call.gather.ended` |
 * | `HungUp` | `CallStatus=completed`, `busy`, `no-answer`, `failed` | `call.hangup` with `hangup_cause` |
 * | `recording` | `GET /Recordings/{sid}.wav` | the URL in `call.recording.saved` |
 */
export class VoiceCarrier extends Context.Tag("services/VoiceCarrier")<
  VoiceCarrier,
  {
    /** The name in `metadata.customFields.carrier`. */
    readonly name: string
    /** Calls a number, and returns the carrier's id of the call. `Ringing`, then `Answered` or `HungUp` follow. */
    readonly dial: (call: StoredCall) => Effect.Effect<string, ServiceUnavailableError>
    /** Carries out a command, which is given at the call time `atMs`. */
    readonly execute: (
      call: StoredCall,
      command: CarrierCommand,
      atMs: number
    ) => Effect.Effect<void, ServiceUnavailableError>
    /** The recording of spans of a call with these lines, joined. */
    readonly recording: (lines: ReadonlyArray<CallLine>, spans: ReadonlyArray<Span>) => Recording
  }
>() {}
