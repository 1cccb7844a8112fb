import { type AskedRange, dateRange } from "@switchboard/domain/analytics/DateRange"
import { DateTime, Effect } from "effect"

/** The range that a caller asks for at this moment. */
export const rangeNow = (asked: AskedRange) => Effect.flatMap(DateTime.now, (now) => dateRange(asked, now))
