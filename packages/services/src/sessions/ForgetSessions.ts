import { Effect } from "effect"
import type { Chore } from "../Chore.js"
import { SessionRepo } from "./SessionRepo.js"

/** Forgets log-ins that are over. */
export const forgetSessions: Effect.Effect<Chore, never, SessionRepo> = Effect.map(
  SessionRepo,
  ({ forgetExpired }) => ({ what: "Forgetting old log-ins", every: "1 hour", round: forgetExpired })
)
