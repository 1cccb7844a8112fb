import { SqlClient } from "@effect/sql"
import { ConflictError } from "@switchboard/domain/Errors"
import { type OrganizationId, OrganizationSummary } from "@switchboard/domain/organizations/Organization"
import type { VerifiedSender } from "@switchboard/services/email/senders/SenderRepo"
import { OrganizationRepo } from "@switchboard/services/organizations/OrganizationRepo"
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { insertApiKey } from "../apiKeys/InsertApiKey.js"
import { inBatches } from "../database/InBatches.js"
import { lookUpTogether } from "../database/LookUpTogether.js"
import { mergeBatch } from "../database/MergeChanges.js"
import { prepared } from "../database/Prepared.js"
import { forRequest, orUnavailable, retryConflicts, violates } from "../database/Unavailable.js"
import { insertDefaultSender } from "../email/senders/InsertDefaultSender.js"
import { changeOrganization, insertOrganizationEvent, updateOrganization } from "./ChangeOrganization.js"
import { findOrganization } from "./FindOrganization.js"
import { mergeCountsStatement } from "./OrganizationCounts.js"
import { currentMonth, usedThisMonth } from "./PlanUsage.js"

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
