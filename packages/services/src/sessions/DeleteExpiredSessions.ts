import { Effect } from "effect"
import type { ScheduledJob } from "../ScheduledJob.js"
import { SessionRepo } from "./SessionRepo.js"

/** Deletes sessions that have expired. */
export const deleteExpiredSessions: Effect.Effect<ScheduledJob, never, SessionRepo> = Effect.map(
  SessionRepo,
  ({ deleteExpired }) => ({ what: "Deleting expired sessions", every: "1 hour", round: deleteExpired })
)
