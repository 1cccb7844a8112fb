import type { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Duration, Effect, Order } from "effect"
import { inTurn } from "../database/Batches.js"
import { orUnavailable, retryConflicts } from "../database/Unavailable.js"
import { firstIdAt, minId } from "../FirstIdAt.js"

/** A transaction may commit this long after it created its ids; a mark stays behind, so that late rows are read. */
export const maxCommitDelay = Duration.minutes(10)

/** The owner of rows: an organization, or one of its API keys. */
interface Owner {
  readonly organizationId: OrganizationId
  readonly id: string
}

/** The expired rows of an owner that one transaction erases, in the order of their ids. */
export interface ExpiredPage extends Owner {
  readonly ids: ReadonlyArray<string>
  /** The lowest id that is not expired, and its time. */
  readonly end: string
  readonly before: DateTime.Utc
  readonly now: DateTime.Utc
}

/** Rows with a retention. */
export interface Expiring {
  readonly table: string
  /** The column with the UUIDv7 that has the time of the row `t`. */
  readonly id: string
  /** The maximum number of rows that one transaction reads. */
  readonly batch: number
  /** SQL: the owners `o`, with `organization_id` and `id`. Default: all organizations. */
  readonly owners?: string
  /** SQL: a further condition on the rows `t` of an owner `o`. */
  readonly where?: string
  /** SQL: the lock of the rows that are read. */
  readonly lock?: string
  /** The number of expired rows that each owner keeps. */
  readonly kept?: number
  /** The name of the marks of rows that stay in the table: each row is read once. */
  readonly mark?: string
  /** Erases the rows of a page, and returns their number. Runs in a transaction. */
  readonly erase: (sql: SqlClient.SqlClient, page: ExpiredPage) => Effect.Effect<number, SqlError>
}

/** SQL: the lowest ids of an owner `o` between two ids. */
const idsBetween = ({ id, table, where = "true" }: Expiring, after: string, end: string) => `
  SELECT t.${id} AS id FROM ${table} AS t WHERE t.organization_id = o.organization_id AND ${where}
    AND t.${id} > ${after} AND t.${id} < ${end} ORDER BY t.${id}`

/** The owners with expired rows: one descent of the index per owner. */
const ownersStatement = (expiring: Expiring) => /* sql */ `
SELECT o.organization_id AS "organizationId", o.id
FROM ${expiring.owners ?? "(SELECT id AS organization_id, id FROM organizations)"} AS o
  LEFT JOIN retention_marks AS m ON m.organization_id = o.organization_id AND m.kind = $1
  CROSS JOIN LATERAL (
    ${idsBetween(expiring, "COALESCE(m.done_to, $2::uuid)", "$3::uuid")} OFFSET ${expiring.kept ?? 0} LIMIT 1
  ) AS expired
ORDER BY o.organization_id, o.id`

const pageStatement = (expiring: Expiring) => /* sql */ `
SELECT t.id FROM (SELECT $1::uuid AS organization_id, $2::uuid AS id) AS o CROSS JOIN LATERAL (
  ${idsBetween(expiring, "$3::uuid", "$4::uuid")} LIMIT ${expiring.batch} ${expiring.lock ?? ""}
) AS t`

/** Locks the mark of an organization: one process at a time moves it. */
const lockMarkStatement = /* sql */ `
INSERT INTO retention_marks AS m (organization_id, kind, done_to) VALUES ($1, $2, $3)
ON CONFLICT (organization_id, kind) DO UPDATE SET done_to = m.done_to RETURNING done_to AS "doneTo"`

const moveMarkStatement = /* sql */ `
UPDATE retention_marks SET done_to = greatest(done_to, least($3::uuid, $4::uuid))
WHERE organization_id = $1 AND kind = $2`

const higher = Order.max(Order.string)

const beginning: { readonly total: number; readonly after: string | null } = { total: 0, after: minId }

/** Erases the expired rows of all owners in short transactions, in the order of their ids. Returns their number. */
export const eraseExpired = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  expiring: Expiring,
  retention: Duration.Duration
) {
  const { batch, erase, mark } = expiring
  const now = yield* DateTime.now
  const before = DateTime.subtractDuration(now, retention)
  const end = firstIdAt(before)
  const committed = firstIdAt(DateTime.subtractDuration(now, maxCommitDelay))
  const statement = pageStatement(expiring)

  const eraseBatch = (owner: Owner, after: string) =>
    Effect.gen(function* () {
      const { id, organizationId } = owner
      const marks =
        mark === undefined
          ? []
          : yield* sql.unsafe<{ readonly doneTo: string }>(lockMarkStatement, [organizationId, mark, minId])
      const from = marks.reduce((highest, { doneTo }) => higher(highest, doneTo), after)
      const rows = yield* sql.unsafe<{ readonly id: string }>(statement, [organizationId, id, from, end])
      const ids = rows.map((row) => row.id)
      const last = ids.at(-1)
      if (last === undefined) return { erased: 0, next: null }
      const erased = yield* erase(sql, { ...owner, ids, end, before, now })
      if (mark !== undefined) yield* sql.unsafe(moveMarkStatement, [organizationId, mark, last, committed])
      return { erased, next: ids.length < batch ? null : last }
    }).pipe(sql.withTransaction, retryConflicts, orUnavailable, inTurn)

  const eraseOwn = (owner: Owner) =>
    Effect.iterate(beginning, {
      while: ({ after }) => after !== null,
      body: ({ after, total }) =>
        Effect.map(eraseBatch(owner, after ?? minId), ({ erased, next }) => ({ total: total + erased, after: next }))
    })

  const owners = yield* orUnavailable(sql.unsafe<Owner>(ownersStatement(expiring), [mark ?? "", minId, end]))
  return yield* Effect.reduce(owners, 0, (sum, owner) => Effect.map(eraseOwn(owner), ({ total }) => sum + total))
})

/** Deletes the rows of a page by the range of their ids, except those with a condition on `t`; `$4` is the time. */
export const deleteRange =
  (table: string, id: string, stays = "false") =>
  (sql: SqlClient.SqlClient, { before, ids, organizationId }: ExpiredPage) =>
    Effect.map(
      sql.unsafe(
        `DELETE FROM ${table} AS t WHERE t.organization_id = $1 AND t.${id} BETWEEN $2 AND $3
          AND NOT (${stays}) AND $4::timestamptz IS NOT NULL RETURNING 1`,
        [organizationId, ids[0], ids.at(-1), DateTime.formatIso(before)]
      ),
      (deleted) => deleted.length
    )
