import type { SqlClient } from "@effect/sql"
import { Template, TemplateId, TemplateVariable } from "@switchboard/domain/email/templates/Template"
import type { TemplateFilters } from "@switchboard/domain/email/templates/TemplateRequests"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type PageRequest, page } from "@switchboard/domain/Page"
import { readableRows } from "@switchboard/services/ReadableRows"
import { Effect, Schema } from "effect"
import { found } from "../../Search.js"

const decode = Schema.decodeUnknownSync(
  Schema.Struct({
    id: TemplateId,
    organizationId: OrganizationId,
    name: Schema.String,
    subject: Schema.String,
    html: Schema.String,
    text: Schema.optionalWith(Schema.String, { nullable: true }),
    variables: Schema.Array(TemplateVariable),
    version: Schema.Int,
    createdAt: Schema.DateTimeUtcFromDate,
    updatedAt: Schema.DateTimeUtcFromDate
  })
)

export const templateColumns = `id, organization_id AS "organizationId", name, subject, html, text, variables, version,
  created_at AS "createdAt", updated_at AS "updatedAt"`

/** A template from its row. */
export const templateFromRow = (row: object): Template => new Template(decode(row), { disableValidation: true })

/** A page of an organization's templates, newest first: their ids sort by creation. */
export const listTemplates = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  { search }: TemplateFilters,
  request: PageRequest
) {
  const where = sql.and([
    sql`organization_id = ${organization}`,
    ...(search === undefined ? [] : [found(sql, search, ["name", "subject"])])
  ])
  const rows = yield* sql`SELECT ${sql.literal(templateColumns)} FROM email_templates WHERE ${where}
    ORDER BY id DESC LIMIT ${request.limit} OFFSET ${(request.page - 1) * request.limit}`
  const [count] = yield* sql<{ total: number }>`SELECT count(*)::float8 AS total FROM email_templates WHERE ${where}`
  return page(yield* readableRows(rows, templateFromRow), count?.total ?? 0, request)
})
