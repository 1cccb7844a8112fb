import { type PlaceRow, placeRollup } from "@switchboard/domain/analytics/PlaceRollup"
import { DateTime } from "effect"
import type { RollupTable } from "./RollupTable.js"

/** The recipients by place. They are not rebuilt: the places that recipients had are stored here only. */
export const placeRollupTable: RollupTable<PlaceRow> = {
  rollup: placeRollup,
  name: "rollup_places",
  key: { organization_id: "uuid", span: "text", starts_at: "timestamptz", country: "text", region: "text" },
  sums: { recipients: "bigint" },
  record: ({ country, organizationId, recipients, region, span, startsAt }) => ({
    organization_id: organizationId,
    span,
    starts_at: DateTime.formatIso(DateTime.unsafeMake(startsAt)),
    country,
    region,
    recipients
  }),
  time: null
}
