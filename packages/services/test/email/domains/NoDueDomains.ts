import { SqlClient } from "@effect/sql"
import { SharedDatabase } from "@switchboard/store/testing/TestDatabase"
import { Effect, Layer } from "effect"

/** The shared database, in which the checks of earlier files' domains are not due. */
export const NoDueDomains = Layer.effectDiscard(
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`UPDATE email_domains SET next_check_at = '2200-01-01'`)
).pipe(Layer.provideMerge(SharedDatabase))
