import type { SqlClient } from "@effect/sql"
import type { Fragment } from "@effect/sql/Statement"
import { maxCounted } from "@switchboard/domain/Page"
import { requestTimeout } from "@switchboard/services/RequestDeadline"
import { Effect, identity, Predicate, String } from "effect"
import type { Tests } from "./SelectPage.js"

/** The part of a request's time for a search by an unordered index, in milliseconds. */
export const searchTimeout = requestTimeout * 0.2

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

/** The conditions of a list for a search: of the ids that are found, or of each row. */
export const searched = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  id: string,
  search: { readonly select: Fragment; readonly tests: Tests } | undefined
) {
  if (search === undefined) return { where: [], tests: undefined }
  const { ids } = yield* searchIds(sql, search.select)
  return ids === undefined
    ? { where: [], tests: search.tests }
    : { where: [sql`${sql.literal(id)} = ANY (${ids}::uuid[])`], tests: undefined }
})
