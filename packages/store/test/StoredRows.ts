import { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Effect } from "effect"

interface EventRow {
  readonly type: string
  readonly subject: string
  readonly data: Record<string, unknown>
}

/** The stored events of an organization whose type has a prefix, oldest first. */
export const storedEvents = (organization: OrganizationId, prefix = "") =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<EventRow>`SELECT type, subject_id AS subject, data FROM events
      WHERE organization_id = ${organization} AND starts_with(type, ${prefix}) ORDER BY id`
  )

/** The types of an organization's events. */
export const eventTypes = (organization: OrganizationId, prefix = "") =>
  Effect.map(storedEvents(organization, prefix), (rows) => rows.map(({ type }) => type))

/** The number of rows of an organization. */
export const countRows = (table: string, organization: OrganizationId) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ n: number }>`SELECT count(*)::int AS n FROM ${sql(table)} WHERE organization_id = ${organization}`,
      ([row]) => row?.n ?? 0
    )
  )
