import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * Runs `VACUUM` until no dead row is left: it keeps rows that a concurrent snapshot can see, for example that of an
 * automatic `ANALYZE`, and index entries if few pages have dead rows.
 */
export const vacuum = (...tables: ReadonlyArray<string>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.unsafe(`VACUUM (INDEX_CLEANUP on, ANALYZE) ${tables.join(", ")}`).pipe(
      Effect.zipRight(sql<{ name: string }>`SELECT relname AS name FROM pg_stat_user_tables
        WHERE relname IN ${sql.in(tables)} AND n_dead_tup > 0`),
      Effect.repeat({ until: (dead) => dead.length === 0 })
    )
  )
