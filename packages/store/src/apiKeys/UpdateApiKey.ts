import type { SqlClient } from "@effect/sql"
import type { ChangedApiKey } from "@switchboard/services/apiKeys/ApiKeyRepo"
import { DateTime, Effect } from "effect"
import { insertEvents } from "../events/InsertEvents.js"

const time = (at: DateTime.Utc | null | undefined) => (at ? DateTime.toDateUtc(at) : null)

/** Writes what became of a key. The row of a removed one stays: what it did still names it. */
export const updateApiKey = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { apiKey, events, removed, rotated }: ChangedApiKey
) {
  yield* sql`UPDATE api_keys SET name = ${apiKey.name}, description = ${apiKey.description ?? null},
      role_name = ${apiKey.roleName ?? null}, permissions = ${JSON.stringify(apiKey.permissions)}::jsonb,
      is_active = ${apiKey.isActive}, expires_at = ${time(apiKey.expiresAt)}, updated_at = now()
    WHERE id = ${apiKey.id}`
  if (rotated !== null) {
    // Without a grace the value is forgotten at once.
    yield* sql`UPDATE api_keys SET previous_hash = CASE WHEN ${rotated.previousUntil !== null} THEN hash END,
        previous_until = ${time(rotated.previousUntil)}, hash = ${rotated.hash}, start = ${apiKey.start}
      WHERE id = ${apiKey.id}`
  }
  if (removed) yield* sql`UPDATE api_keys SET removed_at = now(), previous_hash = NULL WHERE id = ${apiKey.id}`
  if (events.length > 0) yield* insertEvents(sql, events)
})
