import { SqlClient } from "@effect/sql"
import { localDomain } from "@switchboard/domain/email/domains/DomainRecords"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { SenderRepo, type VerifiedSender } from "@switchboard/services/email/senders/SenderRepo"
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { lookUpTogether } from "../../database/LookUpTogether.js"
import { prepared } from "../../database/Prepared.js"
import { forRequest, orUnavailable } from "../../database/Unavailable.js"
import { confirmedSince } from "./SenderRows.js"

/** Enough for an operator to read. */
const maxListed = 20

/** The slugs of active organizations with a default sender of the local domain, oldest first, at most 20. */
export const localDefaultSenders = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  forRequest(sql<{ readonly slug: string }>`
    SELECT o.slug FROM organizations AS o JOIN email_senders AS s ON s.organization_id = o.id
    WHERE o.is_active AND s.is_default AND s.is_active AND s.verification_status = 'verified'
      AND (lower(s.email) LIKE ${`%@${localDomain}`} OR lower(s.email) LIKE ${`%.${localDomain}`})
    ORDER BY o.created_at, o.id LIMIT ${maxListed}`)
).pipe(Effect.map((rows) => rows.map(({ slug }) => slug)))

/** Stores a verified sender as the organization's default. */
export const insertDefaultSender = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  { email, name, replyTo }: VerifiedSender
) =>
  Effect.asVoid(sql`INSERT INTO email_senders (organization_id, id, email, name, reply_to, verification_status,
      verified_at, is_default, created_at, updated_at)
    VALUES (${organization}, new_uuid_v7(), ${email}, ${name}, ${replyTo}, 'verified', now(), true, now(), now())`)

const sender = Schema.decodeUnknownSync(
  Schema.Struct({
    email: EmailAddress,
    name: Schema.String,
    replyTo: Schema.NullOr(EmailAddress),
    tracking: Schema.Struct({ trackOpens: Schema.Boolean, trackClicks: Schema.Boolean })
  })
)

const owner = Schema.decodeUnknownSync(Schema.Struct({ id: OrganizationId }))

/** A look-up of a sender; without an address of the default sender. */
interface Lookup {
  readonly organization: OrganizationId
  readonly email: EmailAddress | null
  readonly degradedSince: DateTime.Utc
}

const columns = `s.email, s.name, s.reply_to AS "replyTo"`

// A pending domain has not failed: its senders were confirmed by mail.
const usable = `s.organization_id = w.organization_id AND s.verification_status = 'verified' AND s.is_active
  AND (s.domain_id IS NULL OR EXISTS (
    SELECT FROM email_domains AS d WHERE d.organization_id = s.organization_id AND d.id = s.domain_id
      AND (d.status IN ('pending', 'verified') OR ${confirmedSince}
        OR d.status = 'degraded' AND d.failing_since > w.degraded_since)))`

/** A row for each look-up, in order. A UNION instead of OR: each half is one lookup in a unique index. */
const statement = prepared(
  "find_senders",
  /* sql */ `
SELECT s.*, json_build_object('trackOpens', coalesce(d.track_opens, false),
    'trackClicks', coalesce(d.track_clicks, false)) AS tracking
FROM unnest($1::uuid[], $2::text[], $3::timestamptz[])
    WITH ORDINALITY AS w(organization_id, email, degraded_since, place)
  LEFT JOIN LATERAL (
    SELECT ${columns} FROM email_senders AS s WHERE ${usable} AND lower(s.email) = lower(w.email)
    UNION ALL
    SELECT ${columns} FROM email_senders AS s WHERE ${usable} AND w.email IS NULL AND s.is_default
    LIMIT 1
  ) AS s ON true
  LEFT JOIN LATERAL (
    SELECT d.track_opens, d.track_clicks FROM email_domains AS d
    WHERE d.organization_id = w.organization_id AND d.domain = lower(split_part(s.email, '@', 2)) OFFSET 0
  ) AS d ON true
ORDER BY w.place`
)

/** Senders in the table `email_senders`. */
export const SenderRepoSql = Layer.scoped(
  SenderRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const find = yield* lookUpTogether((lookups: ReadonlyArray<Lookup>) =>
      Effect.map(
        sql.unsafe<{ readonly email: string | null }>(statement, [
          lookups.map(({ organization }) => organization),
          lookups.map(({ email }) => email),
          lookups.map(({ degradedSince }) => DateTime.formatIso(degradedSince))
        ]),
        (rows) => rows.map((row) => (row.email === null ? Option.none() : Option.some(sender(row))))
      )
    )
    return {
      findVerified: (organization, email, degradedSince) => find({ organization, email, degradedSince }),
      findDefault: (organization, degradedSince) => find({ organization, email: null, degradedSince }),
      findFirstOwner: (email) =>
        sql`SELECT o.id FROM email_senders AS s JOIN organizations AS o ON o.id = s.organization_id
          WHERE lower(s.email) = lower(${email}) AND s.verification_status = 'verified' AND s.is_active
          ORDER BY o.created_at, o.id LIMIT 1`.pipe(
          Effect.map(([row]) => Option.map(Option.fromNullable(row), (found) => owner(found).id)),
          orUnavailable
        )
    }
  })
)
