import type { SqlClient } from "@effect/sql"
import { TemplateId, TemplateVariable, TemplateVersion } from "@switchboard/domain/email/templates/Template"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { PageRequest } from "@switchboard/domain/Page"
import { Schema } from "effect"
import { selectPage } from "../../Lists.js"

const decode = Schema.decodeUnknownSync(
  Schema.Struct({
    templateId: TemplateId,
    version: Schema.Int,
    subject: Schema.optionalWith(Schema.String, { nullable: true }),
    html: Schema.optionalWith(Schema.String, { nullable: true }),
    text: Schema.optionalWith(Schema.String, { nullable: true }),
    variables: Schema.Array(TemplateVariable),
    createdAt: Schema.DateTimeUtcFromDate
  })
)

/** The version as a UUID, in the same order: cursors contain UUIDs. */
const versionId = "('00000000-0000-7000-8000-' || lpad(to_hex(version), 12, '0'))::uuid"

/** A page of the versions of a template, newest first. */
export const listVersions = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  template: TemplateId,
  request: PageRequest
) =>
  selectPage(sql, request, {
    columns: `${versionId} AS id, template_id AS "templateId", version, nullif(subject, '') AS subject,
      nullif(html, '') AS html, text, variables, created_at AS "createdAt"`,
    tables: "email_template_versions",
    where: [sql`organization_id = ${organization}`, sql`template_id = ${template}`],
    id: versionId,
    read: (row: object) => new TemplateVersion(decode(row), { disableValidation: true })
  })
