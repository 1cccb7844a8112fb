import type { BreakerState } from "@switchboard/domain/system/SystemStatus"
import { DateTime, Duration, Effect, Metric, Option, Random, Ref } from "effect"
import { byLabels } from "../../ByLabels.js"
import type { SendingChannel } from "./DeliveryQueue.js"

/** The initial and the maximum pause after failures of the provider. */
const firstPause = Duration.seconds(1)
const maxPause = Duration.minutes(1)
const jitter = 0.2

/** Consecutive attempts without a reply that open the breaker: fewer may be due to a single recipient. */
const maxSilences = 5

const paused = byLabels(
  Metric.gauge("switchboard_relay_paused", {
    description:
      "Processes whose provider of a channel is paused after an outage: messages wait, and one at a time probes it"
  })
)

type State =
  | { readonly _tag: "Closed"; readonly silences: number }
  | { readonly _tag: "Open"; readonly failures: number; readonly until: DateTime.Utc; readonly probing: boolean }

const closed: State = { _tag: "Closed", silences: 0 }

/** The attempts that are admitted: all, one as a probe, or none until a time. */
export type Admission =
  | { readonly _tag: "All" }
  | { readonly _tag: "Probe" }
  | { readonly _tag: "None"; readonly until: DateTime.Utc }

/**
 * Makes a circuit breaker for the provider of a channel. While it is open, messages wait without using up retries, and
 * one at a time probes the provider, at growing intervals.
 */
export const makeBreaker = (channel: SendingChannel) =>
  Effect.gen(function* () {
    const isPaused = paused({ channel })
    const state = yield* Ref.make<State>(closed)

    /** Reports the provider as in use, for processes that send over it; in others it is neither paused nor in use. */
    const report = Metric.set(isPaused, 0)

    const admission = (current: State, now: DateTime.Utc): Admission => {
      if (current._tag === "Closed") return { _tag: "All" }
      return current.probing || DateTime.lessThan(now, current.until)
        ? { _tag: "None", until: DateTime.max(current.until, DateTime.addDuration(now, firstPause)) }
        : { _tag: "Probe" }
    }

    /** The current admission. */
    const peek = Effect.zipWith(Ref.get(state), DateTime.now, admission)

    /** Requests admission for an attempt. An admitted caller must report its result. */
    const enter = Effect.flatMap(DateTime.now, (now) =>
      Ref.modify(state, (current) => {
        const admitted = admission(current, now)
        return [
          admitted,
          admitted._tag === "Probe" && current._tag === "Open" ? { ...current, probing: true } : current
        ]
      })
    )

    /** The provider replied. Returns whether the breaker was open. */
    const answered = Effect.flatMap(Ref.getAndSet(state, closed), ({ _tag }) =>
      _tag === "Open" ? Effect.as(Metric.set(isPaused, 0), true) : Effect.succeed(false)
    )

    const opened = (failures: number, now: DateTime.Utc, chance: number) => {
      const pause = Duration.min(Duration.times(firstPause, 2 ** (failures - 1)), maxPause)
      const until = DateTime.addDuration(now, Duration.times(pause, 1 + jitter * (2 * chance - 1)))
      return { _tag: "Open", failures, until, probing: false } as const
    }

    /** The provider failed. Returns the time of the next probe. Failures while the breaker is open count as one. */
    const failed = Effect.gen(function* () {
      const now = yield* DateTime.now
      const chance = yield* Random.next
      return yield* Ref.modify(state, (current) => {
        if (current._tag === "Open" && !current.probing) return [current.until, current]
        const open = opened(current._tag === "Open" ? current.failures + 1 : 1, now, chance)
        return [open.until, open]
      })
    }).pipe(Effect.zipLeft(Metric.set(isPaused, 1)))

    /** The provider did not reply within a session. Returns the time of the next probe if that opens the breaker. */
    const silent = Effect.gen(function* () {
      const isOpened = yield* Ref.modify(state, (current) => {
        if (current._tag === "Open") return [current.probing, current]
        const silences = current.silences + 1
        return [silences >= maxSilences, { ...current, silences }]
      })
      return isOpened ? Option.some(yield* failed) : Option.none()
    })

    /** An admitted attempt ended without a result of the provider: another may probe. */
    const abandoned = Ref.update(state, (current) =>
      current._tag === "Open" ? { ...current, probing: false } : current
    )

    /** The state for operators. */
    const status = Effect.map(
      Ref.get(state),
      (current): BreakerState =>
        current._tag === "Closed"
          ? { state: "closed", nextAttemptAt: null }
          : { state: current.probing ? "half_open" : "open", nextAttemptAt: current.until }
    )

    return { report, status, peek, enter, answered, failed, silent, abandoned } as const
  })

export type ProviderBreaker = Effect.Effect.Success<ReturnType<typeof makeBreaker>>

/** The circuit breaker of each channel's provider. */
export class ProviderBreakers extends Effect.Service<ProviderBreakers>()("services/ProviderBreakers", {
  effect: Effect.all({ email: makeBreaker("email"), sms: makeBreaker("sms"), whatsapp: makeBreaker("whatsapp") })
}) {}
