import type { ScheduledJob } from "@switchboard/services/ScheduledJob"
import { Effect, Layer } from "effect"
import { regularly } from "./Regularly.js"

const run = ({ every, round, what }: ScheduledJob) =>
  regularly(
    Effect.tap(round, (count) => (count === 0 ? Effect.void : Effect.annotateLogs(Effect.logDebug(what), { count }))),
    every,
    what
  )

/** Runs each job at its own interval: one that fails or takes long delays no other. */
export const ScheduledJobs = <E, R>(jobs: Effect.Effect<ReadonlyArray<ScheduledJob>, E, R>) =>
  Layer.scopedDiscard(Effect.flatMap(jobs, Effect.forEach(run)))
