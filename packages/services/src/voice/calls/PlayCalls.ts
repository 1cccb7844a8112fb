import type { EventType } from "@switchboard/domain/events/EventType"
import type { CallProgress } from "@switchboard/domain/voice/calls/CallProgress"
import { cutCall } from "@switchboard/domain/voice/calls/CutCall"
import { afterTheEnd, beginning, errandDone, type PlayedNext } from "@switchboard/domain/voice/calls/PlayWorkflow"
import { summarizeCall } from "@switchboard/domain/voice/calls/SummarizeCall"
import { DateTime, Duration, Effect } from "effect"
import { type NewEvent, newEvent } from "../../events/NewEvent.js"
import { CallErrands } from "./CallErrands.js"
import { callTimeMs } from "./ChangeCall.js"
import { DescribeCall } from "./DescribeCall.js"
import { keepCall } from "./KeepCall.js"
import type { CallRun, StoredCall } from "./StoredCall.js"
import type { CallSettlement, TakenCall } from "./VoiceCallQueue.js"
import { VoiceCarrier } from "./VoiceCarrier.js"

type CallEvent = Extract<EventType, `call.${string}` | "recording.ready" | "transcript.ready">

/** How long a call that is over waits for what was said in it to be kept, and between two tries. */
const keepWithin = Duration.minutes(10)
const keepAgainAfter = Duration.seconds(5)

/** How long it is waited for a service that does not answer. */
const patience = Duration.seconds(1)

/** When a call's own time is so far. */
const instantOf = (originAt: DateTime.Utc, speed: number, ms: number) =>
  DateTime.addDuration(originAt, Duration.millis(ms / speed))

/** When a call's own time began that is so far now. */
const originOf = (now: DateTime.Utc, speed: number, ms: number) =>
  DateTime.subtractDuration(now, Duration.millis(ms / speed))

const withFields = ({ metadata }: StoredCall, fields: Readonly<Record<string, unknown>>): StoredCall["metadata"] => ({
  ...metadata,
  customFields: { ...metadata.customFields, ...fields }
})

/** Makes calls: each time a worker takes one, its next step. Between two steps nobody holds it. */
export class PlayCalls extends Effect.Service<PlayCalls>()("services/PlayCalls", {
  effect: Effect.gen(function* () {
    const carrier = yield* VoiceCarrier
    const errands = yield* CallErrands
    const { describe } = yield* DescribeCall
    const keep = yield* keepCall

    const told = (call: StoredCall, ...types: ReadonlyArray<CallEvent>): Effect.Effect<ReadonlyArray<NewEvent>> =>
      Effect.flatMap(describe(call), (shown) =>
        Effect.forEach(types, (type) => newEvent(type, call.organizationId, call.id, shown))
      )

    const settled = (
      taken: TakenCall,
      given: Partial<Omit<CallSettlement, "taken">> & Pick<CallSettlement, "dueAt">
    ): CallSettlement => ({ taken, call: taken.call, run: taken.run, events: [], isDone: false, ...given })

    const later = (taken: TakenCall, wait: Duration.Duration) =>
      Effect.map(DateTime.now, (now) => settled(taken, { dueAt: DateTime.addDuration(now, wait) }))

    /** It never came to a conversation. */
    const refuse = Effect.fnUntraced(function* (
      taken: TakenCall,
      status: "busy" | "no_answer" | "failed",
      errorCode: string,
      errorMessage: string
    ) {
      const now = yield* DateTime.now
      const metadata = { ...taken.call.metadata, errorCode, errorMessage }
      const call: StoredCall = { ...taken.call, status, metadata, endedAt: now, updatedAt: now }
      return settled(taken, { call, events: yield* told(call, "call.failed"), dueAt: null })
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
        events: yield* told(call, "call.started"),
        dueAt: instantOf(now, call.speed, rung.afterMs)
      })
    })

    /** Goes on from there, and says when there is something to be done. */
    const goOn = Effect.fnUntraced(function* (taken: TakenCall, before: StoredCall, from: CallProgress) {
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

    const answer = Effect.fnUntraced(function* (taken: TakenCall) {
      const now = yield* DateTime.now
      const { from, id, to } = taken.call
      const variables = { callId: id, to, from: from ?? "" }
      const answered: StoredCall = {
        ...taken.call,
        status: "in_progress",
        sessionId: `${carrier.name}-session-${id}`,
        answeredAt: now,
        recorded: [{ fromMs: 0, toMs: null }]
      }
      const settlement = yield* goOn(taken, answered, beginning(taken.run.script, variables))
      return { ...settlement, events: yield* told(settlement.call, "call.answered") }
    })

    /** What somebody may want to know of a call that is over. */
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

    /** What comes after the end; no more work if nothing does. */
    const afterEnd = (run: CallRun, progress: CallProgress): CallRun | null => {
      const after = afterTheEnd(run.script, progress)
      return after.node === null ? null : { ...run, progress: after }
    }

    /** Ends a conversation that lasted until then. Its next is null if it was cut short. */
    const end = Effect.fnUntraced(function* (
      taken: TakenCall,
      progress: CallProgress,
      endedAt: DateTime.Utc,
      next: PlayedNext | null
    ) {
      const now = yield* DateTime.now
      const isLate = DateTime.greaterThan(now, DateTime.addDuration(endedAt, keepWithin))
      const kept = yield* keep(taken.call, progress).pipe(
        Effect.catchTag("ExternalServiceError", () =>
          Effect.succeed(isLate ? { recordingKey: null, transcriptKey: null } : null)
        )
      )
      if (kept === null) return yield* later(taken, keepAgainAfter)
      const call: StoredCall = {
        ...taken.call,
        ...kept,
        ...outcome(taken, progress, next),
        status: "completed",
        endedAt: DateTime.min(endedAt, now),
        updatedAt: now
      }
      const run = afterEnd(taken.run, progress)
      return settled(taken, {
        call,
        run: run ?? taken.run,
        events: yield* told(
          call,
          "call.ended",
          ...(kept.recordingKey === null ? [] : (["recording.ready"] as const)),
          ...(kept.transcriptKey === null ? [] : (["transcript.ready"] as const))
        ),
        dueAt: run === null ? null : now
      })
    })

    /** After the end there is no transcript any more to say what was done: the call says it. */
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
      const done = yield* errands.run(call, run, progress, next.node)
      const after = errandDone(run.script, progress, next.node, done)
      return { ...(yield* goOn(taken, withNotes(call, after), after)), isDone: true }
    })

    const step = (taken: TakenCall): Effect.Effect<CallSettlement> => {
      const { call, run } = taken
      if (call.status === "queued") return ring(taken)
      if (run.progress !== null) {
        return Effect.catchTag(converse(taken, run.progress), "ServiceUnavailableError", () => later(taken, patience))
      }
      const refusal = run.rung?.refusal ?? null
      return refusal === null ? answer(taken) : refuse(taken, refusal.status, refusal.code, refusal.message)
    }

    /** Ends a call that can't go on: one that is over already stays so. */
    const giveUp = (taken: TakenCall): Effect.Effect<CallSettlement> =>
      taken.call.status === "completed"
        ? Effect.succeed(settled(taken, { dueAt: null }))
        : refuse(taken, "failed", "workers_lost", "The steps of this call ended without a result again and again")

    return { step, giveUp } as const
  })
}) {}
