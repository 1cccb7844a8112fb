import { DateTime, Duration, Effect, Random, Ref } from "effect"

/** The first pause after a relay could not be used, and the longest. */
const firstPause = Duration.seconds(1)
const longestPause = Duration.minutes(1)
const jitter = 0.2

type State =
  | { readonly _tag: "Closed" }
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
    const state = yield* Ref.make<State>({ _tag: "Closed" })

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

    /** The relay answered: it can be used. Whether it could not before. */
    const answered = Effect.map(Ref.getAndSet(state, { _tag: "Closed" }), ({ _tag }) => _tag === "Open")

    /** The relay could not be used; when it is tried next. What fails together is one failure. */
    const failed = Effect.gen(function* () {
      const now = yield* DateTime.now
      const chance = yield* Random.next
      return yield* Ref.modify(state, (current) => {
        if (current._tag === "Open" && !current.probing) return [current.until, current]
        const failures = current._tag === "Open" ? current.failures + 1 : 1
        const pause = Duration.min(Duration.times(firstPause, 2 ** (failures - 1)), longestPause)
        const until = DateTime.addDuration(now, Duration.times(pause, 1 + jitter * (2 * chance - 1)))
        return [until, { _tag: "Open", failures, until, probing: false }] as const
      })
    })

    /** An admitted try ended without news of the relay: another may probe. */
    const abandoned = Ref.update(state, (current) =>
      current._tag === "Open" ? { ...current, probing: false } : current
    )

    return { peek, enter, answered, failed, abandoned } as const
  })
}) {}
