import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { ConflictError } from "@switchboard/domain/Errors"
import {
  Template,
  TemplateChannel,
  type TemplateFilters,
  TemplateId,
  TemplateVariable
} from "@switchboard/domain/email/templates/Template"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { PageRequest } from "@switchboard/domain/Page"
import { TemplateRepo } from "@switchboard/services/email/templates/TemplateRepo"
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { prepared } from "../../database/Prepared.js"
import { forRequest, retryConflicts, violates } from "../../database/Unavailable.js"
import { containsText } from "../../Filters.js"
import { withCreationKey } from "../../idempotency/StoreCreationKey.js"
import { selectPage } from "../../Lists.js"
import { listVersions } from "./ListVersions.js"

const decode = Schema.decodeUnknownSync(
  Schema.Struct({
    id: TemplateId,
    organizationId: OrganizationId,
    name: Schema.String,
    channel: TemplateChannel,
    subject: Schema.optionalWith(Schema.String, { nullable: true }),
    html: Schema.optionalWith(Schema.String, { nullable: true }),
    text: Schema.optionalWith(Schema.String, { nullable: true }),
    variables: Schema.Array(TemplateVariable),
    version: Schema.Int,
    createdAt: Schema.DateTimeUtcFromDate,
    updatedAt: Schema.DateTimeUtcFromDate
  })
)

const templateColumns = `id, organization_id AS "organizationId", name, channel, nullif(subject, '') AS subject,
  nullif(html, '') AS html, text, variables, version, created_at AS "createdAt", updated_at AS "updatedAt"`

/** Decodes a template. */
const templateFromRow = (row: object): Template => new Template(decode(row), { disableValidation: true })

/** A page of an organization's templates, newest first (ids sort by creation time). */
const listTemplates = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  { channel, search }: TemplateFilters,
  request: PageRequest
) {
  const where = [
    sql`organization_id = ${organization}`,
    ...(channel === undefined ? [] : [sql`channel = ${channel}`]),
    ...(search === undefined ? [] : [containsText(sql, search, ["name", "subject"])])
  ]
  return yield* selectPage(sql, request, {
    columns: templateColumns,
    tables: "email_templates",
    where,
    id: "id",
    read: templateFromRow
  })
})

/** Read for every send with a template. */
const findStatement = prepared(
  "find_template",
  `SELECT ${templateColumns} FROM email_templates WHERE organization_id = $1 AND id = $2`
)

const first = (rows: ReadonlyArray<object>) => Option.map(Option.fromNullable(rows[0]), templateFromRow)

/** Templates in the table `email_templates`, with all their versions in `email_template_versions`. */
export const TemplateRepoSql = Layer.effect(
  TemplateRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(templateColumns)

    /** Template names are unique in an organization: the index refuses a concurrent duplicate. */
    const orTaken = ({ name }: Template) =>
      Effect.mapError((error: SqlError) =>
        violates(error, "email_templates_name_key")
          ? new ConflictError({ message: `The name ${name} is taken`, resource: "template" })
          : error
      )

    const insertVersion = ({ html, id, organizationId, subject, text, updatedAt, variables, version }: Template) =>
      sql`INSERT INTO email_template_versions (organization_id, template_id, version, subject, html, text, variables,
          created_at)
        VALUES (${organizationId}, ${id}, ${version}, ${subject ?? ""}, ${html ?? ""}, ${text ?? null},
          ${JSON.stringify(variables)}::json, ${DateTime.toDateUtc(updatedAt)})`

    return {
      insert: (template) =>
        sql`INSERT INTO email_templates (organization_id, id, name, channel, subject, html, text, variables, version,
            created_at, updated_at)
          VALUES (${template.organizationId}, ${template.id}, ${template.name}, ${template.channel},
            ${template.subject ?? ""}, ${template.html ?? ""}, ${template.text ?? null}, ${JSON.stringify(template.variables)}::json, ${template.version},
            ${DateTime.toDateUtc(template.createdAt)}, ${DateTime.toDateUtc(template.updatedAt)})`.pipe(
          orTaken(template),
          Effect.zipRight(insertVersion(template)),
          sql.withTransaction,
          withCreationKey(sql, () => template.id),
          Effect.asVoid,
          forRequest
        ),
      find: (organization, id) => forRequest(Effect.map(sql.unsafe(findStatement, [organization, id]), first)),
      findByName: (organization, name) =>
        sql`SELECT ${columns} FROM email_templates WHERE organization_id = ${organization} AND name = ${name}`.pipe(
          Effect.map(first),
          forRequest
        ),
      list: (organization, filters, request) => forRequest(listTemplates(sql, organization, filters, request)),
      versions: (organization, id, request) => forRequest(listVersions(sql, organization, id, request)),
      change: (organization, id, decide) =>
        Effect.gen(function* () {
          const present = first(
            yield* sql`SELECT ${columns} FROM email_templates
              WHERE organization_id = ${organization} AND id = ${id} FOR UPDATE`
          )
          if (Option.isNone(present)) return Option.none()
          const changed = yield* decide(present.value)
          if (changed.version === present.value.version) return present
          yield* sql`UPDATE email_templates SET name = ${changed.name}, subject = ${changed.subject ?? ""},
              html = ${changed.html ?? ""}, text = ${changed.text ?? null},
              variables = ${JSON.stringify(changed.variables)}::json, version = ${changed.version},
              updated_at = ${DateTime.toDateUtc(changed.updatedAt)}
            WHERE organization_id = ${organization} AND id = ${id}`.pipe(orTaken(changed))
          yield* insertVersion(changed)
          return Option.some(changed)
        }).pipe(sql.withTransaction, retryConflicts, forRequest),
      remove: (organization, id) =>
        sql`DELETE FROM email_templates WHERE organization_id = ${organization} AND id = ${id} RETURNING id`.pipe(
          Effect.map((rows) => rows.length > 0),
          forRequest
        )
    }
  })
)
