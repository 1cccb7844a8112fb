import { SqlClient } from "@effect/sql"
import { CreationKeyRepo, type StoredKey } from "@switchboard/services/idempotency/CreationKeyRepo"
import { Effect, Layer, Option } from "effect"
import { deleteOlder } from "../database/Batches.js"
import { forRequest, retryConflicts } from "../database/Unavailable.js"
import { storeCreationKey } from "./StoreCreationKey.js"

/** Idempotency keys in the table `creation_keys`. */
export const CreationKeyRepoSql = Layer.effect(
  CreationKeyRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return {
      find: ({ hash, organizationId }) =>
        sql<StoredKey>`SELECT fingerprint, resource_id AS "resourceId" FROM creation_keys
          WHERE organization_id = ${organizationId} AND hash = ${hash}`.pipe(
          Effect.map(([row]) => Option.fromNullable(row)),
          forRequest
        ),
      store: (key, resourceId) => storeCreationKey(sql, key, resourceId).pipe(retryConflicts, forRequest),
      remove: ({ hash, organizationId }) =>
        sql`DELETE FROM creation_keys WHERE organization_id = ${organizationId} AND hash = ${hash}`.pipe(
          Effect.asVoid,
          forRequest
        ),
      deleteExpired: deleteOlder(sql, "creation_keys", "organization_id, hash", "created_at")
    }
  })
)
