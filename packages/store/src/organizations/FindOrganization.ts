import type { SqlClient } from "@effect/sql"
import { Organization, type OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Effect, Option, Schema } from "effect"
import { nextMonth, usedThisMonth } from "./PlanUsage.js"

const orAbsent = Schema.optionalWith(Schema.String, { nullable: true })

const decode = Schema.decodeUnknownSync(
  Schema.Struct({
    ...Organization.fields,
    logo: orAbsent,
    paymentCustomerId: orAbsent,
    countryCode: orAbsent,
    billingEmail: orAbsent,
    messagesResetAt: Schema.DateTimeUtcFromDate,
    createdAt: Schema.DateTimeUtcFromDate,
    updatedAt: Schema.DateTimeUtcFromDate
  })
)

const columns = `o.id, o.name, o.slug, o.logo, o.payment_customer_id AS "paymentCustomerId",
  o.default_currency AS "defaultCurrency", o.country_code AS "countryCode", o.timezone,
  o.billing_email AS "billingEmail", o.plan, o.is_active AS "isActive", o.metadata,
  u.messages_used::float8 AS "messagesUsed",
  ${usedThisMonth("messages_used_this_month")}::float8 AS "messagesUsedThisMonth",
  u.sms_used::float8 AS "smsUsed", ${usedThisMonth("sms_used_this_month")}::float8 AS "smsUsedThisMonth",
  u.whatsapp_used::float8 AS "whatsappUsed",
  ${usedThisMonth("whatsapp_used_this_month")}::float8 AS "whatsappUsedThisMonth",
  u.email_used::float8 AS "emailUsed",
  ${usedThisMonth("email_used_this_month")}::float8 AS "emailUsedThisMonth",
  u.participants::float8 AS "participantsUsed",
  u.conversations::float8 AS "conversationsUsed",
  (SELECT count(*) FROM users AS t WHERE t.organization_id = o.id)::float8 AS "teamMembersUsed",
  ${nextMonth} AS "messagesResetAt",
  o.created_at AS "createdAt", o.updated_at AS "updatedAt"`

/** An organization with its settings and usage, as its own API keys read it. */
export const findOrganization = (sql: SqlClient.SqlClient, id: OrganizationId) =>
  Effect.map(
    sql`SELECT ${sql.literal(columns)} FROM organizations AS o
      JOIN organization_usage AS u ON u.organization_id = o.id WHERE o.id = ${id}`,
    ([row]) =>
      Option.map(Option.fromNullable(row), (found) => new Organization(decode(found), { disableValidation: true }))
  )
