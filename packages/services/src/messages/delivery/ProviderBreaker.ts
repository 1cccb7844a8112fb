import type { BreakerState } from "@switchboard/domain/system/SystemStatus"
import { DateTime, Duration, Effect, Metric, Option, Random, Ref } from "effect"
import { byLabels } from "../../ByLabels.js"
import type { SendingChannel } from "./DeliveryQueue.js"

/** The pauses of a circuit breaker. */
export interface BreakerPauses {
  /** The first pause after failures; each further one is twice as long, up to `max`. */
  readonly first: Duration.Duration
  readonly max: Duration.Duration
  /** How long messages wait for the result of a probe. */
  readonly probe: Duration.Duration
}

/** The pauses of a relay or provider, which all messages of a channel wait for. */
const providerPauses: BreakerPauses = {
  first: Duration.seconds(1),
  max: Duration.minutes(1),
  probe: Duration.seconds(1)
}

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
 * Makes a circuit breaker for a route of messages. While it is open, messages wait without using up retries, and one at a
 * time probes the route, at growing intervals. `setPaused` is called when it opens and when it closes.
 */
export const makeBreaker = (pauses: BreakerPauses, setPaused: (isPaused: boolean) => Effect.Effect<void>) =>
  Effect.gen(function* () {
    const state = yield* Ref.make<State>(closed)

    /** Reports the route as in use, for processes that send over it; in others it is neither paused nor in use. */
    const report = setPaused(false)

    const admission = (current: State, now: DateTime.Utc): Admission => {
      if (current._tag === "Closed") return { _tag: "All" }
      return current.probing || DateTime.lessThan(now, current.until)
        ? { _tag: "None", until: DateTime.max(current.until, DateTime.addDuration(now, pauses.probe)) }
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
      _tag === "Open" ? Effect.as(setPaused(false), true) : Effect.succeed(false)
    )

    const opened = (failures: number, now: DateTime.Utc, chance: number) => {
      const pause = Duration.min(Duration.times(pauses.first, 2 ** (failures - 1)), pauses.max)
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
    }).pipe(Effect.zipLeft(setPaused(true)))

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

/** The circuit breaker of a provider, whose pauses are a metric. */
const providerBreaker = (labels: { readonly channel: SendingChannel; readonly relay?: string }) =>
  makeBreaker(providerPauses, (isPaused) => Metric.set(paused(labels), isPaused ? 1 : 0))

/** The circuit breakers of the providers of texts and WhatsApp messages, and of each relay of mail. */
export class ProviderBreakers extends Effect.Service<ProviderBreakers>()("services/ProviderBreakers", {
  effect: Effect.gen(function* () {
    const relays = new Map<string, ProviderBreaker>()
    return {
      sms: yield* providerBreaker({ channel: "sms" }),
      whatsapp: yield* providerBreaker({ channel: "whatsapp" }),
      /** The breaker of a relay, by its host and port. */
      ofRelay: Effect.fnUntraced(function* (relay: string) {
        const known = relays.get(relay)
        if (known !== undefined) return known
        const breaker = yield* providerBreaker({ channel: "email", relay })
        relays.set(relay, breaker)
        return breaker
      }),
      /** The relays that this process uses. */
      relays: Effect.sync(() => [...relays].map(([relay, breaker]) => ({ relay, breaker })))
    } as const
  })
}) {}
