import type { SqlClient } from "@effect/sql"
import type { Block } from "@switchboard/domain/email/blocks/Block"
import type { BlockKeys } from "@switchboard/domain/email/blocks/BlockKeys"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Effect } from "effect"
import { blockColumns, blockFromRow } from "./BlockRows.js"

/** A recipient of an organization. */
export interface Sought extends BlockKeys {
  readonly organizationId: OrganizationId
}

const inForce = "(b.expires_at IS NULL OR b.expires_at > now())"

/** Two steps into the unique index a recipient, whatever the plan. */
const findStatement = /* sql */ `
SELECT g.address, b.*
FROM (SELECT DISTINCT * FROM json_to_recordset($1::json) AS g(organization_id uuid, address text, domain text)) AS g
  CROSS JOIN LATERAL (
    SELECT * FROM (
      (SELECT 1 AS place, ${blockColumns} FROM email_blocks AS b
        WHERE b.organization_id = g.organization_id AND b.type = 'email' AND b.value = g.address AND ${inForce})
      UNION ALL
      (SELECT 2 AS place, ${blockColumns} FROM email_blocks AS b
        WHERE b.organization_id = g.organization_id AND b.type = 'domain' AND b.value = g.domain AND ${inForce})
    ) AS either ORDER BY place LIMIT 1
  ) AS b`

/** The entry in force for each of these recipients, as far as there is one. */
export const findBlocks = (sql: SqlClient.SqlClient, sought: ReadonlyArray<Sought>) =>
  Effect.map(
    sql.unsafe<{ readonly address: string }>(findStatement, [
      JSON.stringify(
        sought.map(({ address, domain, organizationId }) => ({ organization_id: organizationId, address, domain }))
      )
    ]),
    (rows): ReadonlyArray<{ readonly address: string; readonly block: Block }> =>
      rows.map((row) => ({ address: row.address, block: blockFromRow(row) }))
  )
