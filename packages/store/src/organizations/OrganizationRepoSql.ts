import { SqlClient, type SqlError } from "@effect/sql"
import { ConflictError } from "@switchboard/domain/Errors"
import type { EventType } from "@switchboard/domain/events/EventType"
import {
  type OrganizationId,
  OrganizationSummary,
  type UpdateOrganization
} from "@switchboard/domain/organizations/Organization"
import type { VerifiedSender } from "@switchboard/services/email/senders/SenderRepo"
import { newEvent } from "@switchboard/services/events/NewEvent"
import { OrganizationRepo } from "@switchboard/services/organizations/OrganizationRepo"
import { DateTime, Effect, Layer, Option, Record, Schema } from "effect"
import { insertApiKey } from "../apiKeys/ApiKeyRepoSql.js"
import { inBatches } from "../database/Batches.js"
import { lookUpTogether } from "../database/LookUpTogether.js"
import { mergeBatch } from "../database/MergeChanges.js"
import { prepared } from "../database/Prepared.js"
import { forRequest, orUnavailable, retryConflicts, violates } from "../database/Unavailable.js"
import { insertDefaultSender } from "../email/senders/SenderRepoSql.js"
import { insertEvents } from "../events/InsertEvents.js"
import { findOrganization } from "./FindOrganization.js"
import { mergeCountsStatement } from "./OrganizationCounts.js"
import { currentMonth, usedThisMonth } from "./PlanUsage.js"

/** Writes an event with the organization's current state. Requires the transaction that changed it. */
const insertOrganizationEvent = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  id: OrganizationId,
  type: Extract<EventType, `organization.${string}`>
) {
  const found = yield* findOrganization(sql, id)
  if (Option.isSome(found)) yield* insertEvents(sql, [yield* newEvent(type, id, id, found.value)])
  return found
})

/** Updates an organization and writes an event, in one transaction. None if no row matched. */
const changeOrganization = (
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
const updateOrganization = (sql: SqlClient.SqlClient, id: OrganizationId, change: UpdateOrganization) => {
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

/**
 * Marks that an organization exceeded its plan this month and writes an event, in one transaction. Returns false if it
 * was marked before.
 */
const usageExceeded = (sql: SqlClient.SqlClient, id: OrganizationId) =>
  sql.withTransaction(
    Effect.gen(function* () {
      const marked = yield* sql`UPDATE organization_usage SET exceeded_month = ${sql.literal(currentMonth)}
        WHERE organization_id = ${id} AND exceeded_month IS DISTINCT FROM ${sql.literal(currentMonth)}
        RETURNING organization_id`
      if (marked.length === 0) return false
      yield* insertOrganizationEvent(sql, id, "organization.usage_exceeded")
      return true
    })
  )

const summary = Schema.decodeUnknownSync(
  Schema.Struct({ ...OrganizationSummary.fields, createdAt: Schema.DateTimeUtcFromDate })
)

const columns = `o.id, o.name, o.slug, o.plan, o.default_currency AS "defaultCurrency", o.is_active AS "isActive",
  ${usedThisMonth("messages_used_this_month")}::int AS "messagesUsedThisMonth", o.created_at AS "createdAt"`

const from = "organizations AS o JOIN organization_usage AS u ON u.organization_id = o.id"

/** A row for each id, in order. */
const findStatement = prepared(
  "find_organizations",
  /* sql */ `
SELECT r.* FROM unnest($1::uuid[]) WITH ORDINALITY AS w(id, place)
  LEFT JOIN LATERAL (SELECT ${columns} FROM ${from} WHERE o.id = w.id) AS r ON true
ORDER BY w.place`
)

const slugTaken = (slug: string | undefined) =>
  new ConflictError({ message: `The slug ${slug} is taken`, resource: "organization" })

/** Organizations in the tables `organizations` and `organization_usage`. */
export const OrganizationRepoSql = Layer.scoped(
  OrganizationRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const decode = (row: object) => new OrganizationSummary(summary(row), { disableValidation: true })

    const insertOrganization = (organization: OrganizationSummary) => sql`WITH created AS (
        INSERT INTO organizations (id, name, slug, plan, default_currency, is_active, created_at, updated_at)
        VALUES (${organization.id}, ${organization.name}, ${organization.slug}, ${organization.plan},
          ${organization.defaultCurrency}, ${organization.isActive}, ${DateTime.toDateUtc(organization.createdAt)},
          ${DateTime.toDateUtc(organization.createdAt)}) RETURNING id)
      INSERT INTO organization_usage (organization_id, month)
      SELECT id, ${sql.literal(currentMonth)} FROM created`

    const insertComplete = (organization: OrganizationSummary, sender: VerifiedSender) =>
      Effect.zipRight(insertOrganization(organization), insertDefaultSender(sql, organization.id, sender))

    const isEmpty = Effect.map(sql`SELECT FROM organizations LIMIT 1`, (rows) => rows.length === 0)

    const find = yield* lookUpTogether((ids: ReadonlyArray<OrganizationId>) =>
      Effect.map(sql.unsafe<{ readonly id: string | null }>(findStatement, [ids]), (rows) =>
        rows.map((row) => (row.id === null ? Option.none() : Option.some(decode(row))))
      )
    )

    return {
      insert: (organization, sender) =>
        sql.withTransaction(insertComplete(organization, sender)).pipe(
          Effect.catchIf(
            (error) => violates(error, "organizations_slug_key"),
            () => slugTaken(organization.slug)
          ),
          orUnavailable
        ),
      insertFirst: (organization, sender, key, show) =>
        Effect.gen(function* () {
          if (!(yield* isEmpty)) return false
          return yield* sql.withTransaction(
            Effect.gen(function* () {
              // A concurrent creation of an organization waits for this lock, and then finds this organization.
              yield* sql`LOCK TABLE organizations IN SHARE ROW EXCLUSIVE MODE`
              if (!(yield* isEmpty)) return false
              yield* insertComplete(organization, sender)
              yield* insertApiKey(sql, key)
              yield* show
              return true
            })
          )
        }).pipe(orUnavailable),
      find,
      findWithUsage: (id) => forRequest(findOrganization(sql, id)),
      update: (id, change) =>
        changeOrganization(sql, id, updateOrganization(sql, id, change)).pipe(
          Effect.catchIf(
            (error) => violates(error, "organizations_slug_key"),
            () => slugTaken(change.slug)
          ),
          forRequest
        ),
      markExceeded: (id) => forRequest(usageExceeded(sql, id)),
      list: orUnavailable(
        Effect.map(
          sql`SELECT ${sql.literal(columns)} FROM ${sql.literal(from)} ORDER BY o.created_at DESC, o.id DESC`,
          (rows) => rows.map(decode)
        )
      ),
      mergeCounts: inBatches(
        sql.unsafe<{ readonly count: number }>(mergeCountsStatement).pipe(
          Effect.map(([row]) => row?.count ?? 0),
          retryConflicts,
          orUnavailable
        ),
        mergeBatch
      ),
      setPlan: (id, plan) =>
        orUnavailable(
          Effect.map(
            changeOrganization(
              sql,
              id,
              sql`UPDATE organizations SET plan = ${plan}, updated_at = now() WHERE id = ${id} RETURNING id`
            ),
            Option.isSome
          )
        )
    }
  })
)
