import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * Runs `VACUUM` until no dead row is left and all pages are known to be visible to all: it keeps rows that a concurrent
 * snapshot can see, for example that of an automatic `ANALYZE`, and index entries if few pages have dead rows. Index-only
 * scans read the rows of other pages.
 */
export const vacuum = (...tables: ReadonlyArray<string>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.unsafe(`VACUUM (INDEX_CLEANUP on, ANALYZE) ${tables.join(", ")}`).pipe(
      Effect.zipRight(sql<{ name: string }>`SELECT s.relname AS name FROM pg_stat_user_tables AS s
        JOIN pg_class AS c ON c.oid = s.relid
        WHERE s.relname IN ${sql.in(tables)} AND (s.n_dead_tup > 0 OR c.relallvisible < c.relpages)`),
      Effect.repeat({ until: (dead) => dead.length === 0 })
    )
  )
