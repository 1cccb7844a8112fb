import { dateRange, type RequestedRange } from "@switchboard/domain/analytics/DateRange"
import { DateTime, Effect } from "effect"

/** Resolves a requested range at the current time. */
export const rangeNow = (requested: RequestedRange) => Effect.flatMap(DateTime.now, (now) => dateRange(requested, now))
