import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Effect } from "effect"
import { tellOrganization } from "./ChangeOrganization.js"
import { currentMonth } from "./FindOrganization.js"

/**
 * Marks that a tenant exceeded its plan this month, and tells of it, in one transaction; whoever comes second finds the
 * mark. Whether it was marked now.
 */
export const usageExceeded = (sql: SqlClient.SqlClient, id: OrganizationId) =>
  sql.withTransaction(
    Effect.gen(function* () {
      const marked = yield* sql`UPDATE organization_usage SET exceeded_month = ${sql.literal(currentMonth)}
        WHERE organization_id = ${id} AND exceeded_month IS DISTINCT FROM ${sql.literal(currentMonth)}
        RETURNING organization_id`
      if (marked.length === 0) return false
      yield* tellOrganization(sql, id, "organization.usage_exceeded")
      return true
    })
  )
