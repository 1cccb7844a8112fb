import type { SqlClient } from "@effect/sql"
import type { StorableApiKey } from "@switchboard/services/apiKeys/NewApiKey"
import { DateTime, Effect } from "effect"

/** Stores a key with the hash of its value. */
export const insertApiKey = (sql: SqlClient.SqlClient, { apiKey: key, hash }: StorableApiKey) =>
  Effect.asVoid(sql`INSERT INTO api_keys (id, organization_id, name, description, role_name, start, hash, permissions,
      is_active, expires_at, created_at, updated_at)
    VALUES (${key.id}, ${key.organizationId ?? null}, ${key.name}, ${key.description ?? null}, ${key.roleName ?? null},
      ${key.start}, ${hash}, ${JSON.stringify(key.permissions)}::jsonb, ${key.isActive},
      ${key.expiresAt === undefined ? null : DateTime.toDateUtc(key.expiresAt)}, ${DateTime.toDateUtc(key.createdAt)},
      ${DateTime.toDateUtc(key.createdAt)})`)
