import { Clock, Duration, Effect } from "effect"

const silence = Duration.toMillis(Duration.seconds(30))

/** When each thing was last said by this process: a handful of names. */
const saidAt = new Map<string, number>()

/**
 * Says something unless it was said lately: while the database is away, everybody who asks it would say so, hundreds of
 * times a second.
 */
export const seldom = (what: string, say: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const last = saidAt.get(what)
    if (last !== undefined && now >= last && now - last < silence) return Effect.void
    saidAt.set(what, now)
    return say
  })
