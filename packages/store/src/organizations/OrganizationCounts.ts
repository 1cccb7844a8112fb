import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"

/** Rows that a transaction inserted. */
interface Inserted {
  readonly messages?: number
  readonly participants?: number
  readonly conversations?: number
}

/**
 * Adds to an organization's numbers of rows. The last statement of its transaction, so that senders wait for this row
 * only during the commit.
 */
export const countInserted = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  { conversations = 0, messages = 0, participants = 0 }: Inserted
) =>
  sql`UPDATE organization_usage SET messages_kept = messages_kept + ${messages},
      participants = participants + ${participants}, conversations = conversations + ${conversations}
    WHERE organization_id = ${organization}`
