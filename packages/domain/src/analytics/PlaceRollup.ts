import { Number } from "effect"
import type { OrganizationId } from "../organizations/Organization.js"
import { dayMillis, floorTo, quarterMillis } from "./DateRange.js"
import type { Place, Rollup } from "./Rollup.js"

/** The recipients at a place of the messages that were accepted in a period (UTC). */
export interface PlaceRow extends Place {
  readonly organizationId: OrganizationId
  /** Days for long ranges, quarter hours for the ends of a range. */
  readonly span: "quarter" | "day"
  /** In milliseconds since 1970. */
  readonly startsAt: number
  readonly recipients: number
}

/** Recipients by the place that they had when the message was accepted. Deleting a message does not change them. */
export const placeRollup: Rollup<PlaceRow> = {
  types: ["message.created"],
  readsPlaces: true,
  contributions: ({ at, message, organizationId }) =>
    (message?.places ?? []).flatMap((place) => [
      { organizationId, span: "quarter", startsAt: floorTo(quarterMillis, at), ...place, recipients: 1 },
      { organizationId, span: "day", startsAt: floorTo(dayMillis, at), ...place, recipients: 1 }
    ]),
  keyOf: ({ country, organizationId, region, span, startsAt }) =>
    JSON.stringify([organizationId, span, startsAt, country, region]),
  sum: (rows) => ({ ...rows[0], recipients: Number.sumAll(rows.map(({ recipients }) => recipients)) })
}
