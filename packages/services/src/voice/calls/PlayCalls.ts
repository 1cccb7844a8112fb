import type { EventType } from "@switchboard/domain/events/EventType"
import { type CallProgress, cutCall } from "@switchboard/domain/voice/calls/CallProgress"
import {
  applyActionResult,
  initialProgress,
  type PlayedNext,
  progressAfterEnd
} from "@switchboard/domain/voice/calls/PlayWorkflow"
import { summarizeCall } from "@switchboard/domain/voice/calls/SummarizeCall"
import { DateTime, Duration, Effect } from "effect"
import { type NewEvent, newEvent } from "../../events/NewEvent.js"
import { CallActions, storeCallMedia } from "./CallActions.js"
import { callTimeMs } from "./ChangeCall.js"
import { type CallRun, DescribeCall, type StoredCall } from "./StoredCall.js"
import type { CallSettlement, TakenCall } from "./VoiceCallQueue.js"
import { VoiceCarrier } from "./VoiceCarrier.js"

type CallEvent = Extract<EventType, `call.${string}` | "recording.ready" | "transcript.ready">

/** The period in which storing the recording and transcript of a finished call is retried, and the delay of a retry. */
const storeRetryPeriod = Duration.minutes(10)
const storeRetryDelay = Duration.seconds(5)

/** The delay after a ServiceUnavailableError. */
const outageDelay = Duration.seconds(1)

/** The time at which a call reaches a position. */
const instantOf = (originAt: DateTime.Utc, speed: number, ms: number) =>
  DateTime.addDuration(originAt, Duration.millis(ms / speed))

/** The start of a call that is at a position now. */
const originOf = (now: DateTime.Utc, speed: number, ms: number) =>
  DateTime.subtractDuration(now, Duration.millis(ms / speed))

const withFields = ({ metadata }: StoredCall, fields: Readonly<Record<string, unknown>>): StoredCall["metadata"] => ({
  ...metadata,
  customFields: { ...metadata.customFields, ...fields }
})

/** Runs calls: each lease of a call runs its next step. Between steps the call is not leased. */
export class PlayCalls extends Effect.Service<PlayCalls>()("services/PlayCalls", {
  effect: Effect.gen(function* () {
    const carrier = yield* VoiceCarrier
    const actions = yield* CallActions
    const { describe } = yield* DescribeCall
    const storeMedia = yield* storeCallMedia

    const eventsOf = (call: StoredCall, ...types: ReadonlyArray<CallEvent>): Effect.Effect<ReadonlyArray<NewEvent>> =>
      Effect.flatMap(describe(call), (shown) =>
        Effect.forEach(types, (type) => newEvent(type, call.organizationId, call.id, shown))
      )

    const settled = (
      taken: TakenCall,
      changes: Partial<Omit<CallSettlement, "taken">> & Pick<CallSettlement, "dueAt">
    ): CallSettlement => ({ taken, call: taken.call, run: taken.run, events: [], isDone: false, ...changes })

    const later = (taken: TakenCall, wait: Duration.Duration) =>
      Effect.map(DateTime.now, (now) => settled(taken, { dueAt: DateTime.addDuration(now, wait) }))

    /** Ends a call that was not answered. */
    const refuse = Effect.fnUntraced(function* (
      taken: TakenCall,
      status: "busy" | "no_answer" | "failed",
      errorCode: string,
      errorMessage: string
    ) {
      const now = yield* DateTime.now
      const metadata = { ...taken.call.metadata, errorCode, errorMessage }
      const call: StoredCall = { ...taken.call, status, metadata, endedAt: now, updatedAt: now }
      return settled(taken, { call, events: yield* eventsOf(call, "call.failed"), dueAt: null })
    })

    const ring = Effect.fnUntraced(function* (taken: TakenCall) {
      const now = yield* DateTime.now
      const rung = yield* carrier.ring(taken.call)
      const call: StoredCall = {
        ...taken.call,
        status: "ringing",
        callControlId: `${carrier.name}-${taken.call.id}`,
        initiatedAt: now,
        updatedAt: now
      }
      return settled(taken, {
        call,
        run: { ...taken.run, rung },
        events: yield* eventsOf(call, "call.started"),
        dueAt: instantOf(now, call.speed, rung.afterMs)
      })
    })

    /** Continues from a position, and schedules the next step. */
    const continueCall = Effect.fnUntraced(function* (taken: TakenCall, before: StoredCall, from: CallProgress) {
      const now = yield* DateTime.now
      const { progress } = yield* carrier.converse(taken.run.script, from)
      const originAt = originOf(now, before.speed, from.clockMs)
      const call: StoredCall = { ...before, originAt, untilMs: progress.clockMs, updatedAt: now }
      return settled(taken, {
        call,
        run: { ...taken.run, progress: from },
        dueAt: instantOf(originAt, call.speed, progress.clockMs)
      })
    })

    const startConversation = Effect.fnUntraced(function* (taken: TakenCall) {
      const now = yield* DateTime.now
      const { from, id, to } = taken.call
      const variables = { callId: id, to, from: from ?? "" }
      const call: StoredCall = {
        ...taken.call,
        status: "in_progress",
        sessionId: `${carrier.name}-session-${id}`,
        answeredAt: now,
        recorded: [{ fromMs: 0, toMs: null }]
      }
      const settlement = yield* continueCall(taken, call, initialProgress(taken.run.script, variables))
      return { ...settlement, events: yield* eventsOf(settlement.call, "call.answered") }
    })

    /** The duration, summary and metadata of a finished call. */
    const outcome = ({ call, run }: TakenCall, progress: CallProgress, next: PlayedNext | null) => {
      const { clockMs: durationMs, lines, matches, variables } = progress
      const found = matches.map(({ match }) => match)
      const last = found.at(-1)
      const transferredTo = next?._tag === "End" ? next.transferredTo : null
      const endedBy = next === null ? "hangup" : transferredTo === null ? "workflow" : "transfer"
      const { agentName } = run.script
      return {
        durationMs,
        summary: summarizeCall({ agentName, lines, durationMs, chosen: last?.menuItemLabel, endedBy, transferredTo }),
        metadata: {
          ...withFields(call, { variables, endedBy, ...(transferredTo === null ? {} : { transferredTo }) }),
          ...(last === undefined ? {} : { menuMatches: found, menuFinalSelection: last })
        }
      }
    }

    /** The state for actions after the end; null if there are none. */
    const afterEnd = (run: CallRun, progress: CallProgress): CallRun | null => {
      const after = progressAfterEnd(run.script, progress)
      return after.node === null ? null : { ...run, progress: after }
    }

    /** Ends a conversation at a time. `next` is null if it was cut short. */
    const end = Effect.fnUntraced(function* (
      taken: TakenCall,
      progress: CallProgress,
      endedAt: DateTime.Utc,
      next: PlayedNext | null
    ) {
      const now = yield* DateTime.now
      const isLate = DateTime.greaterThan(now, DateTime.addDuration(endedAt, storeRetryPeriod))
      const media = yield* storeMedia(taken.call, progress).pipe(
        Effect.catchTag("ExternalServiceError", () =>
          Effect.succeed(isLate ? { recordingKey: null, transcriptKey: null } : null)
        )
      )
      if (media === null) return yield* later(taken, storeRetryDelay)
      const call: StoredCall = {
        ...taken.call,
        ...media,
        ...outcome(taken, progress, next),
        status: "completed",
        endedAt: DateTime.min(endedAt, now),
        updatedAt: now
      }
      const run = afterEnd(taken.run, progress)
      return settled(taken, {
        call,
        run: run ?? taken.run,
        events: yield* eventsOf(
          call,
          "call.ended",
          ...(media.recordingKey === null ? [] : (["recording.ready"] as const)),
          ...(media.transcriptKey === null ? [] : (["transcript.ready"] as const))
        ),
        dueAt: run === null ? null : now
      })
    })

    /** The results of actions after the end are not in the transcript, so they are added to the call's metadata. */
    const withNotes = (call: StoredCall, { lines, phase }: CallProgress): StoredCall =>
      phase === "line"
        ? call
        : {
            ...call,
            metadata: withFields(call, {
              afterCall: lines.flatMap(({ speaker, text }) => (speaker === "note" ? [text] : []))
            })
          }

    const converse = Effect.fnUntraced(function* (taken: TakenCall, from: CallProgress) {
      const { call, run } = taken
      const { next, progress } = yield* carrier.converse(run.script, from)
      const origin = call.originAt ?? call.createdAt
      if (from.phase === "line" && call.hangUpAt !== null) {
        return yield* end(taken, cutCall(progress, callTimeMs(call, call.hangUpAt)), call.hangUpAt, null)
      }
      if (next._tag === "End") {
        return from.phase === "after"
          ? settled(taken, { call: withNotes(call, progress), dueAt: null })
          : yield* end(taken, progress, instantOf(origin, call.speed, progress.clockMs), next)
      }
      const done = yield* actions.run(call, run, progress, next.node)
      const after = applyActionResult(run.script, progress, next.node, done)
      return { ...(yield* continueCall(taken, withNotes(call, after), after)), isDone: true }
    })

    const step = (taken: TakenCall): Effect.Effect<CallSettlement> => {
      const { call, run } = taken
      if (call.status === "queued") return ring(taken)
      if (run.progress !== null) {
        return Effect.catchTag(converse(taken, run.progress), "ServiceUnavailableError", () =>
          later(taken, outageDelay)
        )
      }
      const refusal = run.rung?.refusal ?? null
      return refusal === null ? startConversation(taken) : refuse(taken, refusal.status, refusal.code, refusal.message)
    }

    /** Fails a call after its steps crashed workers. A completed call stays completed. */
    const giveUp = (taken: TakenCall): Effect.Effect<CallSettlement> =>
      taken.call.status === "completed"
        ? Effect.succeed(settled(taken, { dueAt: null }))
        : refuse(taken, "failed", "workers_lost", "The steps of this call ended repeatedly without a result")

    return { step, giveUp } as const
  })
}) {}
