import { mergeStatement } from "../database/MergeChanges.js"

/** SQL: the numbers of participants and conversations of the organization `o`. */
export const organizationCounts = /* sql */ `
SELECT sum(c.participants) AS participants, sum(c.conversations) AS conversations FROM (
  SELECT participants, conversations FROM organization_counts WHERE organization_id = o.id
  UNION ALL
  SELECT participants, conversations FROM organization_count_changes WHERE organization_id = o.id
) AS c`

/** Merges the newest changes into the counts. */
export const mergeCountsStatement = mergeStatement({
  table: "organization_counts",
  changes: "organization_count_changes",
  key: ["organization_id"],
  sums: ["participants", "conversations"]
})
