import { SqlClient } from "@effect/sql"
import { IdempotencyRepo } from "@switchboard/services/messages/IdempotencyRepo"
import { Effect, Layer } from "effect"
import { deleteOlder } from "../database/Batches.js"

/** Idempotency records, in the tables `message_claims` and `message_contents`. */
export const IdempotencyRepoSql = Layer.effect(
  IdempotencyRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const deleteKeys = deleteOlder(sql, "message_claims", "organization_id, key", "created_at")
    const deleteContents = deleteOlder(sql, "message_contents", "organization_id, content_hash", "accepted_at")

    return {
      deleteExpired: ({ contents, keys }) => Effect.all({ keys: deleteKeys(keys), contents: deleteContents(contents) })
    }
  })
)
