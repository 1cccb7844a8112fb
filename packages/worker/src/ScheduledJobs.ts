import type { ScheduledJob } from "@switchboard/services/ScheduledJob"
import { Effect, Layer } from "effect"
import { runPeriodically } from "./RunPeriodically.js"

const run = ({ every, round, what }: ScheduledJob) =>
  runPeriodically(
    Effect.tap(round, (count) => (count === 0 ? Effect.void : Effect.annotateLogs(Effect.logDebug(what), { count }))),
    every,
    what
  )

/** Runs each job at its own interval. A slow or failing job does not delay the others. */
export const ScheduledJobs = <E, R>(jobs: Effect.Effect<ReadonlyArray<ScheduledJob>, E, R>) =>
  Layer.scopedDiscard(Effect.flatMap(jobs, Effect.forEach(run)))
