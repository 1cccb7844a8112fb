import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { PartitionRepo, partitionWidth } from "@switchboard/services/retention/PartitionRepo"
import { Effect, Layer, Option } from "effect"
import { separateConnections } from "../database/Database.js"
import { isLockTimeout, orUnavailable } from "../database/Unavailable.js"
import { extendPartitions } from "./ExtendPartitions.js"
import { replaceExpired } from "./ReplaceExpired.js"

/**
 * Creates and drops partitions over a separate connection without the pool's timeouts: the check of a large partition
 * can take long.
 */
export const PartitionRepoSql = Layer.effect(
  PartitionRepo,
  Effect.map(PgClient.PgClient, (database) => ({
    update: (table, retention) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const created = yield* extendPartitions(sql, table, partitionWidth(retention))
        return Option.isNone(retention) ? created : created + (yield* replaceExpired(sql, table, retention.value))
      }).pipe(
        Effect.provide(separateConnections(1)),
        Effect.provideService(PgClient.PgClient, database),
        Effect.catchIf(isLockTimeout, () =>
          Effect.as(Effect.logInfo(`A long transaction uses ${table}: its partitions are changed later`), 0)
        ),
        orUnavailable
      )
  }))
)
