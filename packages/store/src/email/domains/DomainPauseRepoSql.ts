import { SqlClient } from "@effect/sql"
import type { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import type { SenderOutcomes } from "@switchboard/domain/email/senders/EmailSender"
import { ageAfterPause, minAgeAfterPause } from "@switchboard/domain/messages/state/MessageLifecycle"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DomainPauseRepo } from "@switchboard/services/email/domains/DomainPauseRepo"
import { DateTime, Duration, Effect, Layer } from "effect"
import { orUnavailable, retryConflicts } from "../../database/Unavailable.js"

interface FiguresRow extends SenderOutcomes {
  readonly organizationId: OrganizationId
  readonly id: EmailDomainId
  readonly resumed_at: Date | null
}

/** The domains are found by the index of rows with bounces or complaints, and the sums of each by primary key. */
const figuresStatement = /* sql */ `
WITH returned AS (
  SELECT DISTINCT organization_id, domain FROM rollup_domains
  WHERE quarter >= $1::timestamptz AND (bounced > 0 OR complained > 0)
)
SELECT d.organization_id AS "organizationId", d.id, d.resumed_at, f.sent, f.bounced, f.complained
FROM returned AS r
  JOIN email_domains AS d ON d.organization_id = r.organization_id AND d.domain = r.domain AND d.paused_at IS NULL
  CROSS JOIN LATERAL (
    SELECT sum(sent)::float8 AS sent, sum(bounced)::float8 AS bounced, sum(complained)::float8 AS complained
    FROM rollup_domains AS c WHERE c.organization_id = d.organization_id AND c.domain = d.domain
      AND c.quarter >= greatest($1::timestamptz, date_bin('15 minutes', d.resumed_at, 'epoch'))
  ) AS f
WHERE f.sent >= $2`

/**
 * The next domain without a pause that has waiting mail. The index is skipped from one domain to the next, so that the
 * cost does not depend on the number of waiting mails.
 */
const resumedDomain = /* sql */ `
WITH RECURSIVE held AS (
  (SELECT organization_id, paused_domain_id FROM message_waiting WHERE paused_domain_id IS NOT NULL
    ORDER BY organization_id, paused_domain_id LIMIT 1)
  UNION ALL SELECT next.* FROM held AS h CROSS JOIN LATERAL (
    SELECT w.organization_id, w.paused_domain_id FROM message_waiting AS w
    WHERE w.paused_domain_id IS NOT NULL AND (w.organization_id, w.paused_domain_id) > (h.organization_id, h.paused_domain_id)
    ORDER BY w.organization_id, w.paused_domain_id LIMIT 1
  ) AS next
)
SELECT h.* FROM held AS h WHERE NOT EXISTS (
  SELECT FROM email_domains AS d
  WHERE d.organization_id = h.organization_id AND d.id = h.paused_domain_id AND d.paused_at IS NOT NULL
) LIMIT 1`

/** The maximum number of mails that one statement makes due. */
const maxReleased = 500

/** Makes mails due, the oldest first. Messages that a released copy ends keep their age. */
const releaseStatement = /* sql */ `
WITH resumed AS MATERIALIZED (${resumedDomain})
UPDATE message_waiting SET paused_domain_id = NULL, due_at = now(), due_since = CASE
  WHEN due_since < now() - make_interval(secs => $1)
    AND due_since >= COALESCE((SELECT ended_before FROM installation), '-infinity')
  THEN now() - make_interval(secs => $2) ELSE due_since END
WHERE ctid = ANY (ARRAY(
  SELECT e.place_in_table FROM resumed AS r CROSS JOIN LATERAL (
    SELECT ctid AS place_in_table FROM message_waiting AS w
    WHERE w.organization_id = r.organization_id AND w.paused_domain_id = r.paused_domain_id
    ORDER BY w.organization_id, w.paused_domain_id, w.id LIMIT ${maxReleased} FOR UPDATE SKIP LOCKED
  ) AS e
)) RETURNING 1`

/** The figures in `rollup_domains`, and the waiting mail in `message_waiting`. */
export const DomainPauseRepoSql = Layer.effect(
  DomainPauseRepo,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    figures: (since, minMessages) =>
      sql.unsafe<FiguresRow>(figuresStatement, [DateTime.formatIso(since), minMessages]).pipe(
        Effect.map((rows) =>
          rows.map(({ resumed_at, ...row }) => ({
            ...row,
            resumedAt: resumed_at === null ? null : DateTime.unsafeFromDate(resumed_at)
          }))
        ),
        orUnavailable
      ),
    release: sql
      .unsafe(releaseStatement, [Duration.toSeconds(minAgeAfterPause), Duration.toSeconds(ageAfterPause)])
      .pipe(
        Effect.map((rows) => rows.length),
        retryConflicts,
        orUnavailable
      ),
    deleteFigures: (before) =>
      sql`DELETE FROM rollup_domains WHERE quarter < ${DateTime.toDateUtc(before)} RETURNING 1`.pipe(
        Effect.map((rows) => rows.length),
        retryConflicts,
        orUnavailable
      )
  }))
)
