import type { SqlClient, SqlError } from "@effect/sql"
import type { EventType } from "@switchboard/domain/events/EventType"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { UpdateOrganization } from "@switchboard/domain/organizations/UpdateOrganization"
import { newEvent } from "@switchboard/services/events/NewEvent"
import { Effect, Option, Record } from "effect"
import { insertEvents } from "../events/InsertEvents.js"
import { findOrganization } from "./FindOrganization.js"

/** Writes what a tenant is now, as an event. To be run in the transaction that made it so. */
export const tellOrganization = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  id: OrganizationId,
  type: Extract<EventType, `organization.${string}`>
) {
  const found = yield* findOrganization(sql, id)
  if (Option.isSome(found)) yield* insertEvents(sql, [yield* newEvent(type, id, id, found.value)])
  return found
})

/** Runs a statement that changes a tenant, and tells of it, in one transaction. None if it changed none. */
export const changeOrganization = (
  sql: SqlClient.SqlClient,
  id: OrganizationId,
  statement: Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError>
) =>
  sql.withTransaction(
    Effect.flatMap(statement, (rows) =>
      rows.length === 0 ? Effect.succeedNone : tellOrganization(sql, id, "organization.updated")
    )
  )

/** The statement of a tenant's own change: what is not given stays. */
export const updateOrganization = (sql: SqlClient.SqlClient, id: OrganizationId, change: UpdateOrganization) => {
  const given = Record.filter(
    {
      name: change.name,
      slug: change.slug,
      logo: change.logo,
      default_currency: change.defaultCurrency,
      country_code: change.countryCode,
      timezone: change.timezone,
      billing_email: change.billingEmail,
      metadata: change.metadata === undefined ? undefined : JSON.stringify(change.metadata)
    },
    (value) => value !== undefined
  )
  return sql`UPDATE organizations SET ${sql.update(given)}, updated_at = now() WHERE id = ${id} RETURNING id`
}
