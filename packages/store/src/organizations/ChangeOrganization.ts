import type { SqlClient, SqlError } from "@effect/sql"
import type { EventType } from "@switchboard/domain/events/EventType"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { UpdateOrganization } from "@switchboard/domain/organizations/UpdateOrganization"
import { newEvent } from "@switchboard/services/events/NewEvent"
import { Effect, Option, Record } from "effect"
import { insertEvents } from "../events/InsertEvents.js"
import { findOrganization } from "./FindOrganization.js"

/** Writes an event with the organization's current state. Requires the transaction that changed it. */
export const insertOrganizationEvent = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  id: OrganizationId,
  type: Extract<EventType, `organization.${string}`>
) {
  const found = yield* findOrganization(sql, id)
  if (Option.isSome(found)) yield* insertEvents(sql, [yield* newEvent(type, id, id, found.value)])
  return found
})

/** Updates an organization and writes an event, in one transaction. None if no row matched. */
export const changeOrganization = (
  sql: SqlClient.SqlClient,
  id: OrganizationId,
  statement: Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError>
) =>
  sql.withTransaction(
    Effect.flatMap(statement, (rows) =>
      rows.length === 0 ? Effect.succeedNone : insertOrganizationEvent(sql, id, "organization.updated")
    )
  )

/** Updates an organization's settings; undefined fields stay. */
export const updateOrganization = (sql: SqlClient.SqlClient, id: OrganizationId, change: UpdateOrganization) => {
  const columns = Record.filter(
    {
      name: change.name,
      slug: change.slug,
      logo: change.logo,
      default_currency: change.defaultCurrency,
      country_code: change.countryCode,
      timezone: change.timezone,
      billing_email: change.billingEmail,
      metadata: change.metadata === undefined ? undefined : JSON.stringify(change.metadata ?? {})
    },
    (value) => value !== undefined
  )
  return sql`UPDATE organizations SET ${sql.update(columns)}, updated_at = now() WHERE id = ${id} RETURNING id`
}
