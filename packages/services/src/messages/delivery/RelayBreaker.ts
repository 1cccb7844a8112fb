import { DateTime, Duration, Effect, Option, Random, Ref } from "effect"

/** The first pause after a relay could not be used, and the longest. */
const firstPause = Duration.seconds(1)
const longestPause = Duration.minutes(1)
const jitter = 0.2

/** Attempts in a row without a reply that open the breaker: fewer may be due to a single recipient. */
const maxSilences = 5

type State =
  | { readonly _tag: "Closed"; readonly silences: number }
  | { readonly _tag: "Open"; readonly failures: number; readonly until: DateTime.Utc; readonly probing: boolean }

/** How much may be tried now: everything, one message as a probe, or nothing until a time. */
export type Admission =
  | { readonly _tag: "All" }
  | { readonly _tag: "Probe" }
  | { readonly _tag: "None"; readonly until: DateTime.Utc }

/**
 * Pauses a relay that can't be used at all: its messages wait unharmed, and one at a time tries whether it is back,
 * at growing distances.
 */
export class RelayBreaker extends Effect.Service<RelayBreaker>()("services/RelayBreaker", {
  effect: Effect.gen(function* () {
    const state = yield* Ref.make<State>({ _tag: "Closed", silences: 0 })

    const admission = (current: State, now: DateTime.Utc): Admission => {
      if (current._tag === "Closed") return { _tag: "All" }
      return current.probing || DateTime.lessThan(now, current.until)
        ? { _tag: "None", until: DateTime.max(current.until, DateTime.addDuration(now, firstPause)) }
        : { _tag: "Probe" }
    }

    /** What would be admitted now. */
    const peek = Effect.zipWith(Ref.get(state), DateTime.now, admission)

    /** Asks to try one message. Whoever is admitted must report how it went. */
    const enter = Effect.flatMap(DateTime.now, (now) =>
      Ref.modify(state, (current) => {
        const admitted = admission(current, now)
        return [
          admitted,
          admitted._tag === "Probe" && current._tag === "Open" ? { ...current, probing: true } : current
        ]
      })
    )

    /** The relay replied: it can be used. Returns whether it could not before. */
    const answered = Effect.map(Ref.getAndSet(state, { _tag: "Closed", silences: 0 }), ({ _tag }) => _tag === "Open")

    const opened = (failures: number, now: DateTime.Utc, chance: number) => {
      const pause = Duration.min(Duration.times(firstPause, 2 ** (failures - 1)), longestPause)
      const until = DateTime.addDuration(now, Duration.times(pause, 1 + jitter * (2 * chance - 1)))
      return { _tag: "Open", failures, until, probing: false } as const
    }

    /** The relay could not be used; returns when it is tried next. Failures while it is paused are one failure. */
    const failed = Effect.gen(function* () {
      const now = yield* DateTime.now
      const chance = yield* Random.next
      return yield* Ref.modify(state, (current) => {
        if (current._tag === "Open" && !current.probing) return [current.until, current]
        const open = opened(current._tag === "Open" ? current.failures + 1 : 1, now, chance)
        return [open.until, open]
      })
    })

    /** The relay accepted a session and did not reply in it; returns when it is tried next if that pauses it. */
    const silent = Effect.gen(function* () {
      const isPaused = yield* Ref.modify(state, (current) => {
        if (current._tag === "Open") return [current.probing, current]
        const silences = current.silences + 1
        return [silences >= maxSilences, { ...current, silences }]
      })
      return isPaused ? Option.some(yield* failed) : Option.none()
    })

    /** An admitted try ended without news of the relay: another may probe. */
    const abandoned = Ref.update(state, (current) =>
      current._tag === "Open" ? { ...current, probing: false } : current
    )

    return { peek, enter, answered, failed, silent, abandoned } as const
  })
}) {}
