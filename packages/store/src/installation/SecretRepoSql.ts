import { SqlClient } from "@effect/sql"
import { type SecretKind, SecretRepo, type StoredSecret } from "@switchboard/services/installation/SecretRepo"
import { Effect, Layer } from "effect"
import { orUnavailable, retryConflicts } from "../database/Unavailable.js"

const places: Readonly<Record<SecretKind, readonly [table: string, column: string, owner?: string]>> = {
  "DKIM key sm1": ["email_domains", "sm1_private_key"],
  "DKIM key sm2": ["email_domains", "sm2_private_key"],
  "secret of webhook endpoint": ["webhook_endpoints", "secret"],
  "previous secret of webhook endpoint": ["webhook_endpoints", "previous_secret"],
  "earlier secret of webhook endpoint": ["earlier_webhook_secrets", "secret", "endpoint_id"],
  "headers of webhook endpoint": ["webhook_endpoints", "headers"],
  "webhook secret of voice agent": ["voice_agents", "webhook_secret"],
  "webhook headers of voice agent": ["voice_agents", "webhook_headers"]
}

/** The encrypted columns of domains, webhook endpoints and voice agents. */
export const SecretRepoSql = Layer.effect(
  SecretRepo,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    underOtherKeys: (kind, keyId, after, limit) => {
      const [table, name, owner = "id"] = places[kind]
      const column = sql(name)
      return orUnavailable(
        sql<StoredSecret>`SELECT organization_id AS "organizationId", id, ${sql(owner)} AS owner, ${column} AS sealed
          FROM ${sql(table)}
          WHERE substring(${column} FROM 2 FOR ${keyId.byteLength}::int) <> ${Buffer.from(keyId)}
            AND (organization_id, id) > (${after.organizationId}::uuid, ${after.id}::uuid)
          ORDER BY organization_id, id LIMIT ${limit}`
      )
    },
    replace: (kind, secrets) => {
      const [table, name] = places[kind]
      const column = sql(name)
      return Effect.forEach(
        secrets,
        ({ id, organizationId, resealed, sealed }) => sql`UPDATE ${sql(table)} SET ${column} = ${Buffer.from(resealed)}
          WHERE organization_id = ${organizationId} AND id = ${id} AND ${column} = ${Buffer.from(sealed)} RETURNING 1`
      ).pipe(
        sql.withTransaction,
        Effect.map((replaced) => replaced.flat().length),
        retryConflicts,
        orUnavailable
      )
    }
  }))
)
