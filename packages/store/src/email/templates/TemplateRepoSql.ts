import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { ConflictError } from "@switchboard/domain/Errors"
import { Template, TemplateId, TemplateVariable } from "@switchboard/domain/email/templates/Template"
import type { TemplateFilters } from "@switchboard/domain/email/templates/TemplateRequests"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type PageRequest, page } from "@switchboard/domain/Page"
import { TemplateRepo } from "@switchboard/services/email/templates/TemplateRepo"
import { readableRows } from "@switchboard/services/ReadableRows"
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { prepared } from "../../database/Prepared.js"
import { forCaller, retryConflicts, violates } from "../../database/Unavailable.js"
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

const templateColumns = `id, organization_id AS "organizationId", name, subject, html, text, variables, version,
  created_at AS "createdAt", updated_at AS "updatedAt"`

/** A template from its row. */
const templateFromRow = (row: object): Template => new Template(decode(row), { disableValidation: true })

/** A page of an organization's templates, newest first: their ids sort by creation. */
const listTemplates = Effect.fnUntraced(function* (
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

/** Every send by a template asks for it. */
const findStatement = prepared(
  "find_template",
  `SELECT ${templateColumns} FROM email_templates WHERE organization_id = $1 AND id = $2`
)

const first = (rows: ReadonlyArray<object>) => Option.map(Option.fromNullable(rows[0]), templateFromRow)

/** Templates in `email_templates`, and what they ever were in `email_template_versions`. */
export const TemplateRepoSql = Layer.effect(
  TemplateRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(templateColumns)

    /** A name stands for one template: the index decides between those who come together. */
    const orTaken = ({ name }: Template) =>
      Effect.mapError((error: SqlError) =>
        violates(error, "email_templates_name_key")
          ? new ConflictError({ message: `The name ${name} is taken`, resource: "template" })
          : error
      )

    const keepVersion = ({ html, id, organizationId, subject, text, updatedAt, variables, version }: Template) =>
      sql`INSERT INTO email_template_versions (organization_id, template_id, version, subject, html, text, variables,
          created_at)
        VALUES (${organizationId}, ${id}, ${version}, ${subject}, ${html}, ${text ?? null},
          ${JSON.stringify(variables)}::json, ${DateTime.toDateUtc(updatedAt)})`

    return {
      insert: (template) =>
        sql`INSERT INTO email_templates (organization_id, id, name, subject, html, text, variables, version, created_at,
            updated_at)
          VALUES (${template.organizationId}, ${template.id}, ${template.name}, ${template.subject}, ${template.html},
            ${template.text ?? null}, ${JSON.stringify(template.variables)}::json, ${template.version},
            ${DateTime.toDateUtc(template.createdAt)}, ${DateTime.toDateUtc(template.updatedAt)})`.pipe(
          orTaken(template),
          Effect.zipRight(keepVersion(template)),
          sql.withTransaction,
          Effect.asVoid,
          forCaller
        ),
      find: (organization, id) => forCaller(Effect.map(sql.unsafe(findStatement, [organization, id]), first)),
      findByName: (organization, name) =>
        sql`SELECT ${columns} FROM email_templates WHERE organization_id = ${organization} AND name = ${name}`.pipe(
          Effect.map(first),
          forCaller
        ),
      list: (organization, filters, request) => forCaller(listTemplates(sql, organization, filters, request)),
      change: (organization, id, decide) =>
        Effect.gen(function* () {
          const present = first(
            yield* sql`SELECT ${columns} FROM email_templates
              WHERE organization_id = ${organization} AND id = ${id} FOR UPDATE`
          )
          if (Option.isNone(present)) return Option.none()
          const changed = yield* decide(present.value)
          if (changed.version === present.value.version) return present
          yield* sql`UPDATE email_templates SET name = ${changed.name}, subject = ${changed.subject},
              html = ${changed.html}, text = ${changed.text ?? null},
              variables = ${JSON.stringify(changed.variables)}::json, version = ${changed.version},
              updated_at = ${DateTime.toDateUtc(changed.updatedAt)}
            WHERE organization_id = ${organization} AND id = ${id}`.pipe(orTaken(changed))
          yield* keepVersion(changed)
          return Option.some(changed)
        }).pipe(sql.withTransaction, retryConflicts, forCaller),
      remove: (organization, id) =>
        sql`DELETE FROM email_templates WHERE organization_id = ${organization} AND id = ${id} RETURNING id`.pipe(
          Effect.map((rows) => rows.length > 0),
          forCaller
        )
    }
  })
)
