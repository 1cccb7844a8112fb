import type { SqlClient } from "@effect/sql"
import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { type CreationKey, currentCreationKey } from "@switchboard/services/idempotency/CreationKey"
import { Effect, FiberRef } from "effect"

const inUse = new ServiceUnavailableError({
  message: "Another request with this idempotency key is in progress",
  retryAfterSeconds: 1
})

/**
 * Stores a key with a resource; waits for a concurrent transaction that stores it. Returns false if it was stored with
 * that resource before. Fails if it is stored with another request or resource.
 */
export const storeCreationKey = (
  sql: SqlClient.SqlClient,
  { fingerprint, hash, organizationId }: CreationKey,
  resourceId: string
) =>
  Effect.flatMap(
    sql<{ readonly isNew: boolean }>`INSERT INTO creation_keys AS k (organization_id, hash, fingerprint, resource_id)
      VALUES (${organizationId}, ${hash}, ${fingerprint}, ${resourceId})
      ON CONFLICT (organization_id, hash) DO UPDATE SET created_at = k.created_at
        WHERE k.fingerprint = EXCLUDED.fingerprint AND k.resource_id = EXCLUDED.resource_id
      RETURNING k.xmax = 0 AS "isNew"`,
    ([row]) => (row === undefined ? inUse : Effect.succeed(row.isNew))
  )

/**
 * Stores the idempotency key of the current request in the transaction that stores its resource. `idOf` returns the id
 * of the resource, or null if none was stored. Fails if a concurrent request stored the key: then nothing is stored.
 */
export const withCreationKey =
  <A>(sql: SqlClient.SqlClient, idOf: (stored: A) => string | null) =>
  <E, R>(store: Effect.Effect<A, E, R>) =>
    Effect.flatMap(FiberRef.get(currentCreationKey), (key) => {
      if (key === null) return store
      const both = Effect.tap(store, (stored) => {
        const id = idOf(stored)
        return id === null
          ? Effect.void
          : Effect.filterOrFail(
              storeCreationKey(sql, key, id),
              (isNew) => isNew,
              () => inUse
            )
      })
      return sql.withTransaction(both)
    })
