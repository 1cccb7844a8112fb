import { dateRange, hasDay, type RequestedRange, rangeEnds } from "@switchboard/domain/analytics/DateRange"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type Context, DateTime, Effect, Option } from "effect"
import type { OrganizationRepo } from "./OrganizationRepo.js"

/** Resolves requested ranges in the time zones of organizations, which only days need. */
export const requestedRanges = (repo: Context.Tag.Service<OrganizationRepo>) => {
  const timeZone = (organization: OrganizationId, requested: RequestedRange) =>
    hasDay(requested)
      ? Effect.map(
          repo.findWithUsage(organization),
          Option.match({ onNone: () => "UTC", onSome: ({ timezone }) => timezone })
        )
      : Effect.succeed("UTC")

  return {
    /** The ends as instants, without defaults. */
    ends: (organization: OrganizationId, requested: RequestedRange) =>
      Effect.flatMap(timeZone(organization, requested), (zone) => rangeEnds(requested, zone)),
    /** The range of figures at the current time. */
    rangeNow: (organization: OrganizationId, requested: RequestedRange) =>
      Effect.flatMap(Effect.all([timeZone(organization, requested), DateTime.now]), ([zone, now]) =>
        dateRange(requested, zone, now)
      )
  }
}
