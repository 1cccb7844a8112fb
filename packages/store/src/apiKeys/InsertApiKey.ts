import type { SqlClient } from "@effect/sql"
import type { StorableApiKey } from "@switchboard/services/apiKeys/NewApiKey"
import { DateTime, Effect } from "effect"

/** Stores a key by its hash. */
export const insertApiKey = (sql: SqlClient.SqlClient, { hash, summary: key }: StorableApiKey) =>
  Effect.asVoid(sql`INSERT INTO api_keys
    (id, organization_id, name, start, hash, permissions, is_active, expires_at, created_at)
    VALUES (${key.id}, ${key.organizationId}, ${key.name}, ${key.start}, ${hash},
      ${JSON.stringify(key.permissions)}::jsonb, ${key.isActive},
      ${key.expiresAt === null ? null : DateTime.toDateUtc(key.expiresAt)}, ${DateTime.toDateUtc(key.createdAt)})`)
