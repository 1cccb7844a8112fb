import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Effect } from "effect"

/** SQL: the current secrets of an owner, which do not end. */
const current = (organization: string, owner: string, purpose: string) =>
  `s.organization_id = ${organization} AND s.owner = ${owner} AND s.purpose = '${purpose}'`

/** SQL: the encrypted secret of an owner, a text; NULL without one. */
export const secretOf = (organization: string, owner: string, purpose: string) =>
  `(SELECT s.value FROM secrets AS s WHERE ${current(organization, owner, purpose)} AND s.valid_until IS NULL)`

/** SQL: the encrypted secrets of an owner that are valid now: the current one, then the replaced ones by their end. */
export const secretsOf = (organization: string, owner: string, purpose: string) =>
  `ARRAY(SELECT s.value FROM secrets AS s WHERE ${current(organization, owner, purpose)}
    AND (s.valid_until IS NULL OR s.valid_until > now()) ORDER BY s.valid_until DESC NULLS FIRST)`

/** Stores the encrypted secret of an owner, or deletes it if it is null. Requires a transaction that locks the owner. */
export const storeSecret = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  purpose: string,
  owner: string,
  sealed: Uint8Array | null
) =>
  Effect.asVoid(
    sealed === null
      ? sql`DELETE FROM secrets WHERE organization_id = ${organization} AND owner = ${owner} AND purpose = ${purpose}`
      : sql`INSERT INTO secrets (organization_id, owner, purpose, version, value)
          VALUES (${organization}, ${owner}, ${purpose}, 1, ${Buffer.from(sealed)})
          ON CONFLICT (organization_id, owner, purpose, version) DO UPDATE SET value = excluded.value`
  )

/** Deletes the secrets of removed owners. */
export const deleteSecrets = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  ...owners: ReadonlyArray<string>
) => Effect.asVoid(sql`DELETE FROM secrets WHERE organization_id = ${organization} AND ${sql.in("owner", owners)}`)

/** Replaced secrets of an owner that stay valid. The one nearest its end is dropped for a further one. */
const maxReplaced = 10

/** Stores the next secret of a locked owner. The current one stays valid until a time. Requires a transaction. */
export const replaceSecret = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  purpose: string,
  owner: string,
  sealed: Uint8Array,
  currentUntil: DateTime.Utc
) {
  const own = sql`organization_id = ${organization} AND owner = ${owner} AND purpose = ${purpose}`
  yield* sql`UPDATE secrets SET valid_until = ${DateTime.toDateUtc(currentUntil)} WHERE ${own} AND valid_until IS NULL`
  yield* sql`DELETE FROM secrets WHERE ${own} AND version NOT IN (
    SELECT version FROM secrets WHERE ${own} AND valid_until > now() ORDER BY valid_until DESC LIMIT ${maxReplaced}
  )`
  yield* sql`INSERT INTO secrets (organization_id, owner, purpose, version, value)
    SELECT ${organization}, ${owner}, ${purpose}, COALESCE(max(version), 0) + 1, ${Buffer.from(sealed)}
    FROM secrets WHERE ${own}`
})
