import { SqlClient } from "@effect/sql"
import { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import { Effect } from "effect"
import { v7 } from "uuid"
import { makeOrganization } from "../messages/Fixtures.js"

/** Stores a key of a new organization. */
export const makeKey = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const organizationId = yield* makeOrganization()
  const apiKeyId = ApiKeyId.make(v7())
  yield* sql`INSERT INTO api_keys (id, organization_id, name, start, hash, permissions, created_at, updated_at)
    VALUES (${apiKeyId}, ${organizationId}, 'Key', 'sk', ${apiKeyId}, '{}', now(), now())`
  return { organizationId, apiKeyId }
})
