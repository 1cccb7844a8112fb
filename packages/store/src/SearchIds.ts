import type { SqlClient } from "@effect/sql"
import type { Fragment } from "@effect/sql/Statement"
import { maxCounted } from "@switchboard/domain/Page"
import { requestTimeout } from "@switchboard/services/RequestDeadline"
import { Effect, identity, Predicate, String } from "effect"

/** The part of a request's time for a search by an unordered index, in milliseconds. */
export const searchTimeout = requestTimeout * 0.3

/** What a search by an unordered index finds. */
interface Found {
  /** The number of matches: exact up to `maxCounted`, infinite if the search took too long. */
  readonly matches: number
  /** Their ids; undefined if there are more than `maxCounted`. */
  readonly ids: ReadonlyArray<string> | undefined
}

/**
 * Searches by an unordered index. Without ids, the condition is tested in the order of the list, where matches are
 * frequent. The ids are one text, because parsing thousands of rows delays other requests.
 */
export const searchIds = (sql: SqlClient.SqlClient, select: Fragment) =>
  sql<{
    ids: string | null
  }>`SELECT CASE WHEN count(*) <= ${maxCounted} THEN coalesce(string_agg(id::text, ','), '') END
      AS ids FROM (SELECT id FROM (${select}) AS s LIMIT ${maxCounted + 1}) AS found`.pipe(
    Effect.map(([row]): Found => {
      if (!Predicate.isString(row?.ids)) return { matches: maxCounted + 1, ids: undefined }
      const ids = [...new Set(row.ids.split(",").filter(String.isNonEmpty))]
      return { matches: ids.length, ids }
    }),
    Effect.timeoutTo({
      duration: searchTimeout,
      onSuccess: identity,
      onTimeout: (): Found => ({ matches: Number.POSITIVE_INFINITY, ids: undefined })
    })
  )

/** The conditions and options of a list for a search: `test` is the condition on a row. */
export const searched = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  id: string,
  search: { readonly select: Fragment; readonly test: Fragment } | undefined
) {
  if (search === undefined) return { conditions: [], hasTests: false }
  const { ids } = yield* searchIds(sql, search.select)
  return ids === undefined
    ? { conditions: [search.test], hasTests: true }
    : { conditions: [sql`${sql.literal(id)} = ANY (${ids}::uuid[])`], hasTests: false }
})
