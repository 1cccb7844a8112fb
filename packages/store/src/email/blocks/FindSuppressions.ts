import type { SqlClient } from "@effect/sql"
import type { Block } from "@switchboard/domain/email/blocks/Block"
import { type BlockKeys, scopesOf, suppressions } from "@switchboard/domain/email/blocks/Suppression"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Array, DateTime, Effect } from "effect"
import { blockColumns, blockFromRow } from "./BlockRows.js"

/** Mail of an organization to a recipient. `categories` is undefined for mail of any category. */
export interface SuppressibleMail {
  readonly organizationId: OrganizationId
  readonly keys: BlockKeys
  readonly categories: ReadonlyArray<string> | undefined
}

/** Per recipient, one index lookup for the address and one for the domain, with any query plan. */
const findStatement = (ofScopes: string) => /* sql */ `
SELECT g.place, now() AS "readAt", b.*
FROM json_to_recordset($1::json) AS g(place int, organization_id uuid, address text, domain text, scopes text[])
  CROSS JOIN LATERAL (
    SELECT ${blockColumns} FROM email_blocks AS b
    WHERE b.organization_id = g.organization_id AND b.type = 'email' AND b.value = g.address ${ofScopes}
    UNION ALL
    SELECT ${blockColumns} FROM email_blocks AS b
    WHERE b.organization_id = g.organization_id AND b.type = 'domain' AND b.value = g.domain ${ofScopes}
  ) AS b`

/** Reads only blocks of the mail's categories, even if an address has many blocks. */
const scopedStatement = findStatement("AND b.category = ANY (g.scopes)")
const unscopedStatement = findStatement("")

interface Row {
  readonly place: number
  /** By the database's clock. */
  readonly readAt: Date
}

/** The blocks that suppress each mail, by `suppressions`. */
export const findSuppressions = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  mails: ReadonlyArray<SuppressibleMail>
) {
  if (mails.length === 0) return []
  const isScoped = mails.every(({ categories }) => categories !== undefined)
  const rows = yield* sql.unsafe<Row>(isScoped ? scopedStatement : unscopedStatement, [
    JSON.stringify(
      mails.map(({ categories = [], keys, organizationId }, place) => ({
        place,
        organization_id: organizationId,
        ...keys,
        scopes: scopesOf(categories)
      }))
    )
  ])
  const found = Array.groupBy(rows, ({ place }) => String(place))
  return mails.map(({ categories, keys }, place): ReadonlyArray<Block> => {
    const blocks = found[place]
    if (blocks === undefined) return []
    return suppressions(blocks.map(blockFromRow), keys, categories, DateTime.unsafeFromDate(blocks[0].readAt))
  })
})
