import { SqlClient } from "@effect/sql"
import {
  AuditActor,
  AuditChanges,
  AuditEntry,
  type AuditFilters,
  AuditOutcome
} from "@switchboard/domain/audit/AuditEntry"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { AuditRepo } from "@switchboard/services/audit/AuditRepo"
import { DateTime, Effect, Layer, Schema } from "effect"
import { forRequest } from "../database/Unavailable.js"
import { filtered, filterOn, type Source } from "../Filters.js"
import { firstIdAt, minId } from "../FirstIdAt.js"
import { selectPage } from "../Lists.js"
import { nullable } from "../RowMapping.js"

const decode = Schema.decodeUnknownSync(
  Schema.Struct({
    ...AuditEntry.fields,
    at: Schema.DateTimeUtcFromDate,
    actor: AuditActor,
    outcome: AuditOutcome,
    resourceId: nullable(Schema.String),
    changes: nullable(AuditChanges),
    requestId: nullable(Schema.String)
  })
)

const entryFromRow = (row: object) => new AuditEntry(decode(row), { disableValidation: true })

const columns = `a.id, a.organization_id AS "organizationId", a.at,
  json_strip_nulls(json_build_object('type', a.actor_type, 'id', a.actor_id, 'name', a.actor_name,
    'email', a.actor_email)) AS actor, a.operation, a.resource,
  a.resource_id AS "resourceId", a.outcome, a.changes, a.ip_address AS "ipAddress", a.user_agent AS "userAgent",
  a.request_id AS "requestId"`

const entries: Source = { table: "audit_entries", alias: "a", id: "id" }

/** Entries in the table `audit_entries`. */
export const AuditRepoSql = Layer.effect(
  AuditRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const listed = (organization: OrganizationId, filters: AuditFilters) => {
      const { actorId, operation, resource, resourceId, since, until } = filters
      return filtered(sql, organization, {
        all: entries,
        ordered: [],
        tests: [
          ...filterOn(entries, resourceId, (value) => sql`a.resource_id = ${value}`),
          ...filterOn(entries, actorId, (value) => sql`a.actor_id = ${value}`),
          ...filterOn(entries, operation, (value) => sql`a.operation = ${value}`),
          ...filterOn(entries, resource, (value) => sql`a.resource = ${value}`)
        ],
        range: (id) => [
          ...(since === undefined ? [] : [sql`${id} >= ${firstIdAt(since)}`]),
          ...(until === undefined ? [] : [sql`${id} < ${firstIdAt(until)}`])
        ],
        rows: [entries]
      })
    }

    return {
      begin: (id, at, change) =>
        sql`INSERT INTO audit_entries (organization_id, id, at, actor_type, actor_id, actor_name, actor_email,
            operation, resource,            resource_id, outcome, ip_address, user_agent, request_id)
          SELECT ${change.organizationId}, ${id}, ${DateTime.toDateUtc(at)},
            CASE WHEN u.id IS NULL THEN 'apiKey' ELSE 'user' END, COALESCE(u.id, c.id), COALESCE(u.name, k.name, ''),
            u.email, ${change.operation}, ${change.resource}, ${change.resourceId}, 'unknown', ${change.ipAddress},
            ${change.userAgent}, ${change.requestId}
          FROM (SELECT ${change.apiKeyId}::uuid AS id) AS c LEFT JOIN api_keys AS k ON k.id = c.id
            LEFT JOIN users AS u ON u.api_key_id = c.id`.pipe(Effect.asVoid, forRequest),
      complete: (organization, id, { changes, resourceId }) =>
        sql`UPDATE audit_entries SET outcome = 'succeeded', resource_id = ${resourceId},
            changes = ${changes === null ? null : JSON.stringify(changes)}::json
          WHERE organization_id = ${organization} AND id = ${id}`.pipe(Effect.asVoid, forRequest),
      remove: (organization, id) =>
        sql`DELETE FROM audit_entries WHERE organization_id = ${organization} AND id = ${id}`.pipe(
          Effect.asVoid,
          forRequest
        ),
      list: (organization, filters, request) =>
        selectPage(sql, request, { ...listed(organization, filters), columns, read: entryFromRow }).pipe(forRequest),
      exported: (organization, filters, { after, limit }) => {
        const { tables, tests, where } = listed(organization, filters)
        return sql`SELECT ${sql.literal(columns)} FROM ${sql.literal(tables)}
          WHERE ${sql.and([...where, ...(tests?.where ?? []), sql`a.id > ${after ?? minId}`])}
          ORDER BY a.id LIMIT ${limit}`.pipe(
          Effect.map((rows) => rows.map(entryFromRow)),
          forRequest
        )
      }
    }
  })
)
