import type { SqlClient } from "@effect/sql"
import type { Block } from "@switchboard/domain/email/blocks/Block"
import type { BlockKeys } from "@switchboard/domain/email/blocks/BlockKeys"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Effect } from "effect"
import { blockColumns, blockFromRow } from "./BlockRows.js"

/** A recipient of an organization, with the scopes of the blocks that apply (`scopesOf`). */
export interface Sought extends BlockKeys {
  readonly organizationId: OrganizationId
  readonly scopes: ReadonlyArray<string>
}

/** Whether a block of `email_blocks AS b` holds by the database's clock. */
export const inForce = "(b.expires_at IS NULL OR b.expires_at > now())"

/** Two steps into a unique index of each table for a recipient, with any plan. */
const findStatement = (ofScopes: string) => /* sql */ `
SELECT g.place, b.*
FROM json_to_recordset($1::json)
    AS g(place int, organization_id uuid, address text, domain text, scopes text[])
  CROSS JOIN LATERAL (
    SELECT 1 AS rank, ${blockColumns} FROM email_blocks AS b
    WHERE b.organization_id = g.organization_id AND b.type = 'email' AND b.value = g.address ${ofScopes} AND ${inForce}
    UNION ALL
    SELECT 2 AS rank, ${blockColumns} FROM email_blocks AS b
    WHERE b.organization_id = g.organization_id AND b.type = 'domain' AND b.value = g.domain ${ofScopes} AND ${inForce}
  ) AS b
ORDER BY g.place, b.rank, b.category COLLATE "C" NULLS FIRST`

const applyingStatement = findStatement("AND b.category = ANY (g.scopes)")
const allStatement = findStatement("")

type Row = { readonly place: number }

/** The blocks in force of each recipient that apply, those of its address first, those on all mail before others. */
export const findBlocks = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, sought: ReadonlyArray<Sought>) {
  const found = sought.map((): Array<Block> => [])
  if (sought.length === 0) return found
  const rows = yield* sql.unsafe<Row>(applyingStatement, [
    JSON.stringify(
      sought.map(({ address, domain, organizationId, scopes }, place) => ({
        place,
        organization_id: organizationId,
        address,
        domain,
        scopes
      }))
    )
  ])
  for (const row of rows) found[row.place]?.push(blockFromRow(row))
  return found
})

/** All blocks in force of an address and its domain, in the same order. */
export const findAllBlocks = (
  sql: SqlClient.SqlClient,
  organizationId: OrganizationId,
  { address, domain }: BlockKeys
) =>
  Effect.map(
    sql.unsafe<Row>(allStatement, [JSON.stringify([{ place: 0, organization_id: organizationId, address, domain }])]),
    (rows): ReadonlyArray<Block> => rows.map(blockFromRow)
  )
