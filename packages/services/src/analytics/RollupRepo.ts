import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type DateTime, Effect } from "effect"
import type { ScheduledJob } from "../ScheduledJob.js"

/** Folds events into rollups, each event once. Any number of processes do so side by side. */
export class RollupRepo extends Context.Tag("services/RollupRepo")<
  RollupRepo,
  {
    /** Numbers new events and folds them into all rollups. Returns the number of batches of events. */
    readonly project: Effect.Effect<number, ServiceUnavailableError>
    /**
     * Replaces the figures of an organization by those of its stored events, from the instant on after which no event
     * has been deleted. Returns the instant. Earlier figures and those of places stay.
     */
    readonly rebuild: (organization: OrganizationId) => Effect.Effect<DateTime.Utc, ServiceUnavailableError>
  }
>() {}

/** Folds new events. Reads organizations with new events only. */
export const projectEvents: Effect.Effect<ScheduledJob, never, RollupRepo> = Effect.map(RollupRepo, ({ project }) => ({
  what: "Folding events into rollups",
  every: "1 second",
  round: project
}))
