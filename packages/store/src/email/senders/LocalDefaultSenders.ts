import { SqlClient } from "@effect/sql"
import { localDomain } from "@switchboard/domain/email/domains/LocalDomain"
import { Effect } from "effect"
import { forRequest } from "../../database/Unavailable.js"

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
