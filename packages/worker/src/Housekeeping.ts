import type { Chore } from "@switchboard/services/Chore"
import { Effect, Layer } from "effect"
import { regularly } from "./Regularly.js"

/** One chore, again and again. */
const doRegularly = ({ every, round, what }: Chore) =>
  regularly(
    Effect.tap(round, (count) => (count === 0 ? Effect.void : Effect.annotateLogs(Effect.logDebug(what), { count }))),
    every,
    what
  )

/** Does chores, each at its own pace: one that stumbles or takes long holds none of the others up. */
export const Housekeeping = <R>(chores: Effect.Effect<ReadonlyArray<Chore>, never, R>) =>
  Layer.scopedDiscard(Effect.flatMap(chores, Effect.forEach(doRegularly)))
