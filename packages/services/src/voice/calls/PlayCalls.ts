import type { EventType } from "@switchboard/domain/events/EventType"
import type { CallEvent, ReportedEvent } from "@switchboard/domain/voice/calls/CallControl"
import { type CallProgress, cutCall, recordFrom } from "@switchboard/domain/voice/calls/CallProgress"
import {
  applyActionResult,
  applyEvents,
  initialProgress,
  maxCallMs,
  type PlayedNext
} from "@switchboard/domain/voice/calls/PlayWorkflow"
import { Array, DateTime, Duration, Effect, Struct } from "effect"
import { type NewEvent, newEvent } from "../../events/NewEvent.js"
import { CallActions, storeCallMedia } from "./CallActions.js"
import { callOutcome, runAfterEnd, withNotes } from "./CallOutcome.js"
import { callTimeMs } from "./ChangeCall.js"
import { DescribeCall, type StoredCall } from "./StoredCall.js"
import type { CallSettlement, TakenCall } from "./VoiceCallQueue.js"
import { VoiceCallRepo } from "./VoiceCallRepo.js"
import { VoiceCarrier } from "./VoiceCarrier.js"

type EventOfCall = Extract<EventType, `call.${string}` | "recording.ready" | "transcript.ready">

/** The period in which storing the recording and transcript of a finished call is retried, and the delay of a retry. */
const storeRetryPeriod = Duration.minutes(10)
const storeRetryDelay = Duration.seconds(5)

/** The time after which a call ends of which the carrier reports nothing before the answer. */
const ringTimeout = Duration.minutes(2)

/** The delay after a ServiceUnavailableError. */
const outageDelay = Duration.seconds(1)

/** The time at which a call reaches a position. The start of a call that is at the position `ms` is that at `-ms`. */
const instantOf = (originAt: DateTime.Utc, speed: number, ms: number) =>
  DateTime.addDuration(originAt, Duration.millis(ms / speed))

const noAnswer = { reason: "no_answer", code: "no_answer" } as const

type HungUp = Extract<CallEvent, { readonly _tag: "HungUp" }>

const isHungUp = (event: CallEvent): event is HungUp => event._tag === "HungUp"

/**
 * Runs calls: each lease of a call processes the events that the carrier reported since the last one, and gives the next
 * command. Between events the call is not leased.
 */
export class PlayCalls extends Effect.Service<PlayCalls>()("services/PlayCalls", {
  effect: Effect.gen(function* () {
    const carrier = yield* VoiceCarrier
    const repo = yield* VoiceCallRepo
    const actions = yield* CallActions
    const { describe } = yield* DescribeCall
    const storeMedia = yield* storeCallMedia

    const eventsOf = (call: StoredCall, ...types: ReadonlyArray<EventOfCall>): Effect.Effect<ReadonlyArray<NewEvent>> =>
      Effect.flatMap(describe(call), (shown) =>
        Effect.forEach(types, (type) => newEvent(type, call.organizationId, call.id, shown))
      )

    const settled = (
      taken: TakenCall,
      changes: Partial<Omit<CallSettlement, "taken">> & Pick<CallSettlement, "dueAt">
    ): CallSettlement => ({
      ...{ taken, call: taken.call, run: taken.run, events: [], processed: [], isRetry: false, isDone: false },
      ...changes
    })

    const later = (taken: TakenCall, wait: Duration.Duration) =>
      Effect.map(DateTime.now, (now) => settled(taken, { dueAt: DateTime.addDuration(now, wait), isRetry: true }))

    /** Ends a call that was not answered. */
    const refuse = Effect.fnUntraced(function* (
      taken: TakenCall,
      { code: errorCode, message: errorMessage, reason }: Pick<HungUp, "reason" | "code" | "message">
    ) {
      const now = yield* DateTime.now
      const metadata = { ...taken.call.metadata, errorCode, errorMessage }
      const status = reason === "hangup" ? "no_answer" : reason
      const call: StoredCall = { ...taken.call, status, metadata, endedAt: now, updatedAt: now }
      return settled(taken, { call, events: yield* eventsOf(call, "call.failed"), dueAt: null })
    })

    const ringUntil = ({ call }: TakenCall) => DateTime.addDuration(call.createdAt, ringTimeout)

    /** The phone rings. The agent answers a caller at once. */
    const ring = Effect.fnUntraced(function* (taken: TakenCall, processed: ReadonlyArray<ReportedEvent>) {
      const call: StoredCall = { ...taken.call, status: "ringing", updatedAt: yield* DateTime.now }
      if (call.direction === "inbound") yield* carrier.execute(call, { _tag: "Answer" }, 0)
      return settled(taken, { call, processed, events: yield* eventsOf(call, "call.started"), dueAt: ringUntil(taken) })
    })

    /** Gives the command that a call waits for, or ends its wait. */
    const giveCommand = Effect.fnUntraced(function* (
      taken: TakenCall,
      before: StoredCall,
      progress: CallProgress,
      next: Extract<PlayedNext, { readonly _tag: "Command" }>
    ) {
      const now = yield* DateTime.now
      const { command } = next
      const originAt = instantOf(now, before.speed, -progress.clockMs)
      const call: StoredCall = { ...before, originAt, untilMs: maxCallMs, updatedAt: now }
      if (command._tag === "Wait") {
        const atMs = progress.clockMs + command.ms
        const at = Math.ceil(DateTime.toEpochMillis(instantOf(originAt, call.speed, atMs)))
        yield* repo.deliver(call, { id: `Elapsed ${command.id}`, at, event: { _tag: "Elapsed", of: command.id, atMs } })
      } else {
        yield* carrier.execute(call, command, progress.clockMs)
      }
      return settled(taken, {
        call,
        run: { ...taken.run, progress },
        dueAt: instantOf(originAt, call.speed, maxCallMs)
      })
    })

    const startConversation = Effect.fnUntraced(function* (
      taken: TakenCall,
      { sessionId }: Extract<CallEvent, { readonly _tag: "Answered" }>,
      processed: ReadonlyArray<ReportedEvent>
    ) {
      const now = yield* DateTime.now
      const { from, id, to } = taken.call
      const call: StoredCall = {
        ...taken.call,
        ...{ status: "in_progress", sessionId, answeredAt: now, originAt: now, untilMs: 0, updatedAt: now },
        recorded: recordFrom([], 0)
      }
      yield* carrier.execute(call, { _tag: "Record" }, 0)
      const progress = initialProgress(taken.run.script, { callId: id, to, from: from ?? "" })
      return settled(taken, {
        call,
        processed,
        run: { ...taken.run, progress },
        events: yield* eventsOf(call, "call.answered"),
        dueAt: now
      })
    })

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
          Effect.succeed(isLate ? { recordingKey: undefined, transcriptKey: undefined } : null)
        )
      )
      if (media === null) return yield* later(taken, storeRetryDelay)
      const call: StoredCall = {
        ...{ ...taken.call, ...media, ...callOutcome(taken, progress, next) },
        ...{ status: "completed", endedAt: DateTime.min(endedAt, now), updatedAt: now }
      }
      const run = runAfterEnd(taken.run, progress)
      return settled(taken, {
        call,
        run: run ?? taken.run,
        events: yield* eventsOf(
          call,
          "call.ended",
          ...(media.recordingKey === undefined ? [] : (["recording.ready"] as const)),
          ...(media.transcriptKey === undefined ? [] : (["transcript.ready"] as const))
        ),
        dueAt: run === null ? null : now
      })
    })

    /** The state after the reported events, and after the maximum duration without an event. */
    const heard = (
      { call, run }: TakenCall,
      from: CallProgress,
      due: ReadonlyArray<ReportedEvent>,
      now: DateTime.Utc
    ) => {
      const isOver = due.length === 0 && callTimeMs(call, now) >= maxCallMs
      const progress = isOver ? { ...from, clockMs: maxCallMs } : from
      return applyEvents(run.script, progress, Array.map(due, Struct.get("event")))
    }

    /** The call time and the time at which a connected call was hung up; null if it was not. */
    const cutOf = ({ call }: TakenCall, due: ReadonlyArray<ReportedEvent>) => {
      if (call.hangUpAt !== undefined) return { ms: callTimeMs(call, call.hangUpAt), at: call.hangUpAt }
      const [hungUp] = due.flatMap(({ at, event }) => (isHungUp(event) ? [{ at, ms: event.atMs }] : []))
      return hungUp === undefined ? null : { ms: hungUp.ms, at: DateTime.unsafeMake(hungUp.at) }
    }

    const converse = Effect.fnUntraced(function* (
      taken: TakenCall,
      from: CallProgress,
      due: ReadonlyArray<ReportedEvent>
    ) {
      const { call, run } = taken
      const now = yield* DateTime.now
      const cut = from.phase === "line" ? cutOf(taken, due) : null
      if (cut !== null) {
        const before = due.filter(({ event }) => "of" in event && event.atMs <= cut.ms)
        yield* carrier.execute(call, { _tag: "HangUp" }, cut.ms)
        const { played, progress } = heard(taken, from, before, now)
        const current = played.next._tag === "Command" ? played.progress : progress
        return yield* end(taken, cutCall(current, cut.ms), cut.at, null)
      }
      const { applied, played } = heard(taken, from, due, now)
      const { next, progress } = played
      const processed = due.slice(0, applied)
      switch (next._tag) {
        case "Command":
          return { ...(yield* giveCommand(taken, call, progress, next)), processed }
        case "End": {
          if (from.phase === "after") return settled(taken, { call: withNotes(call, progress), dueAt: null })
          const { transferredTo: to } = next
          yield* carrier.execute(call, to === null ? { _tag: "HangUp" } : { _tag: "Transfer", to }, progress.clockMs)
          const origin = call.originAt ?? call.createdAt
          return yield* end(taken, progress, instantOf(origin, call.speed, progress.clockMs), next)
        }
        case "ExternalAction": {
          const done = yield* actions.run(call, run, progress, next.node)
          const after = applyActionResult(run.script, progress, next.node, done)
          const endedAt = yield* DateTime.now
          const originAt = instantOf(endedAt, call.speed, -after.clockMs)
          return settled(taken, {
            call: { ...withNotes(call, after), originAt, untilMs: after.clockMs, updatedAt: endedAt },
            run: { ...run, progress: after },
            ...{ processed, dueAt: endedAt, isDone: true }
          })
        }
      }
    })

    /** The step of a call before it is answered. */
    const reach = Effect.fnUntraced(function* (taken: TakenCall, due: ReadonlyArray<ReportedEvent>) {
      const { call } = taken
      const rings = due.find(({ event }) => event._tag === "Ringing")
      if (call.status === "queued" && rings !== undefined) return yield* ring(taken, [rings])
      for (const reported of due) {
        if (reported.event._tag === "Answered") return yield* startConversation(taken, reported.event, [reported])
        if (isHungUp(reported.event)) return yield* refuse(taken, reported.event)
      }
      if (call.callControlId === undefined) {
        const dialled = { ...call, callControlId: yield* carrier.dial(call), initiatedAt: yield* DateTime.now }
        return settled(taken, { call: dialled, dueAt: ringUntil(taken) })
      }
      if (DateTime.lessThan(yield* DateTime.now, ringUntil(taken)))
        return settled(taken, { processed: due, dueAt: ringUntil(taken) })
      return yield* refuse(taken, { ...noAnswer, message: "The carrier did not report an answer" })
    })

    const step = (taken: TakenCall): Effect.Effect<CallSettlement> =>
      Effect.gen(function* () {
        const now = DateTime.toEpochMillis(yield* DateTime.now)
        const due = taken.run.inbox.filter(({ at }) => at <= now).sort((one, other) => one.at - other.at)
        const { progress } = taken.run
        return yield* progress === null ? reach(taken, due) : converse(taken, progress, due)
      }).pipe(Effect.catchTag("ServiceUnavailableError", () => later(taken, outageDelay)))

    /** Fails a call after its steps crashed workers. A completed call stays completed. */
    const giveUp = (taken: TakenCall): Effect.Effect<CallSettlement> =>
      taken.call.status === "completed"
        ? Effect.succeed(settled(taken, { dueAt: null }))
        : refuse(taken, {
            ...{ reason: "failed", code: "workers_lost" },
            message: "The steps of this call ended repeatedly without a result"
          })

    return { step, giveUp } as const
  })
}) {}
