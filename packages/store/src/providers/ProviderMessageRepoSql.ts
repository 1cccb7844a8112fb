import { SqlClient } from "@effect/sql"
import { type ProviderMessage, ProviderMessageRepo } from "@switchboard/services/providers/ProviderMessageRepo"
import { Effect, Layer, Option } from "effect"
import { orUnavailable, retryConflicts } from "../database/Unavailable.js"

/** The ids of sent segments in the table `provider_messages`. */
export const ProviderMessageRepoSql = Layer.effect(
  ProviderMessageRepo,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    find: ({ channel, providerMessageIds }) =>
      sql<ProviderMessage>`SELECT channel, provider_message_id AS "providerMessageId",
          organization_id AS "organizationId", message_id AS "messageId", recipient
        FROM provider_messages WHERE channel = ${channel} AND provider_message_id = ANY (${providerMessageIds}::text[])
        ORDER BY array_position(${providerMessageIds}::text[], provider_message_id) LIMIT 1`.pipe(
        Effect.map(([row]) => Option.fromNullable(row)),
        orUnavailable
      ),
    // Two statements: the second one finds what concurrent calls for other segments committed before it.
    confirm: ({ channel, messageId, organizationId, providerMessageId, recipient }) =>
      sql`UPDATE provider_messages SET is_delivered = true
        WHERE channel = ${channel} AND provider_message_id = ${providerMessageId} AND NOT is_delivered`.pipe(
        Effect.zipRight(
          sql`SELECT 1 FROM provider_messages WHERE organization_id = ${organizationId} AND message_id = ${messageId}
            AND recipient = ${recipient} AND NOT is_delivered LIMIT 1`
        ),
        Effect.map((rows) => rows.length === 0),
        retryConflicts,
        orUnavailable
      )
  }))
)
