import { ConflictError } from "@switchboard/domain/Errors"
import { isRecording, recordFrom, recordUntil } from "@switchboard/domain/voice/calls/CallProgress"
import { DateTime, Effect } from "effect"
import { newEvent } from "../../events/NewEvent.js"
import type { DescribeCall, StoredCall } from "./StoredCall.js"
import type { CallChange } from "./VoiceCallRepo.js"

/** The position in a call, in call time. It stops at `untilMs` until the next step. */
export const callTimeMs = ({ originAt, speed, untilMs }: StoredCall, at: DateTime.Utc): number =>
  originAt === undefined ? 0 : Math.max(0, Math.min(untilMs, Math.round(DateTime.distance(originAt, at) * speed)))

const conflict = (message: string) => new ConflictError({ message, resource: "voiceCall" })

const callEnded = ({ status }: StoredCall) => conflict(`The call is over: it is ${status}`)

/** Ends a call: an unanswered one is cancelled at once, an answered one is ended by a worker. */
export const hangUp =
  ({ describe }: DescribeCall) =>
  (call: StoredCall): Effect.Effect<CallChange, ConflictError> =>
    Effect.gen(function* () {
      const now = yield* DateTime.now
      if (call.status === "in_progress") {
        const hungUp = { ...call, hangUpAt: call.hangUpAt ?? now, updatedAt: now }
        return { call: hungUp, events: [], work: "now" }
      }
      if (call.status !== "queued" && call.status !== "ringing") return yield* callEnded(call)
      const cancelled: StoredCall = { ...call, status: "cancelled", endedAt: now, updatedAt: now }
      const event = yield* newEvent("call.ended", call.organizationId, call.id, yield* describe(cancelled))
      return { call: cancelled, events: [event], work: "never" }
    })

const recordable = (call: StoredCall) => {
  if (call.status === "queued" || call.status === "ringing") {
    return conflict(`The call is not answered yet: it is ${call.status} and can't be recorded`)
  }
  if (call.status !== "in_progress") return callEnded(call)
  return call.hangUpAt === undefined ? Effect.succeed(call) : conflict("The call is over: it was hung up")
}

const withRecorded = (call: StoredCall, recorded: StoredCall["recorded"], now: DateTime.Utc): CallChange => ({
  call: { ...call, recorded, updatedAt: now },
  events: [],
  work: "asPlanned"
})

/** Resumes recording, behind the earlier recording. */
export const startRecording = Effect.fnUntraced(function* (stored: StoredCall) {
  const call = yield* recordable(stored)
  if (isRecording(call.recorded)) return yield* conflict("The call is being recorded")
  const now = yield* DateTime.now
  return withRecorded(call, recordFrom(call.recorded, callTimeMs(call, now)), now)
})

/** Stops recording. */
export const stopRecording = Effect.fnUntraced(function* (stored: StoredCall) {
  const call = yield* recordable(stored)
  if (!isRecording(call.recorded)) return yield* conflict("The call is not being recorded")
  const now = yield* DateTime.now
  return withRecorded(call, recordUntil(call.recorded, callTimeMs(call, now)), now)
})
