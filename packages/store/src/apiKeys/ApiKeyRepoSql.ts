import { SqlClient } from "@effect/sql"
import { ApiKeyId, ApiKeySummary } from "@switchboard/domain/apiKeys/ApiKey"
import { Permissions } from "@switchboard/domain/apiKeys/Permission"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { ApiKeyRepo } from "@switchboard/services/apiKeys/ApiKeyRepo"
import { Effect, Layer, Option, Schema } from "effect"
import { forCaller } from "../Unavailable.js"
import { insertApiKey } from "./InsertApiKey.js"

const identity = Schema.decodeUnknownSync(
  Schema.Struct({ id: ApiKeyId, organizationId: Schema.NullOr(OrganizationId), permissions: Permissions })
)

const Instant = Schema.DateTimeUtcFromDate
const summary = Schema.decodeUnknownSync(
  Schema.Struct({
    ...ApiKeySummary.fields,
    createdAt: Instant,
    expiresAt: Schema.NullOr(Instant),
    lastUsedAt: Schema.NullOr(Instant)
  })
)

/** Keys in the table `api_keys`. */
export const ApiKeyRepoSql = Layer.effect(
  ApiKeyRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return {
      findActive: (hash) =>
        forCaller(
          Effect.map(
            sql`SELECT k.id, k.organization_id AS "organizationId", k.permissions FROM api_keys AS k
              WHERE k.hash = ${hash} AND k.is_active AND (k.expires_at IS NULL OR k.expires_at > now())`,
            ([row]) => (row === undefined ? Option.none() : Option.some(identity(row)))
          )
        ),
      insert: (summary, hash) => forCaller(insertApiKey(sql, { summary, hash })),
      list: forCaller(
        Effect.map(
          sql`SELECT id, name, start, organization_id AS "organizationId", permissions, is_active AS "isActive",
              created_at AS "createdAt", expires_at AS "expiresAt", last_used_at AS "lastUsedAt"
            FROM api_keys ORDER BY created_at DESC, id DESC`,
          (rows) => rows.map((row) => new ApiKeySummary(summary(row), { disableValidation: true }))
        )
      ),
      revoke: (id) =>
        forCaller(
          Effect.map(
            sql`UPDATE api_keys SET is_active = false WHERE id = ${id} RETURNING id`,
            (rows) => rows.length > 0
          )
        ),
      touch: (used) =>
        forCaller(
          Effect.asVoid(sql`UPDATE api_keys AS k SET last_used_at = greatest(k.last_used_at, u.at)
            FROM json_to_recordset(${JSON.stringify(used)}::json) AS u(id uuid, at timestamptz) WHERE k.id = u.id`)
        )
    }
  })
)
