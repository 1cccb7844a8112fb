import { SqlClient } from "@effect/sql"
import { controlledStatuses } from "@switchboard/domain/email/domains/EmailDomain"
import { type MailSource, maxListed, type TlsFailure } from "@switchboard/domain/email/reports/MailReports"
import { MailReportRepo } from "@switchboard/services/email/reports/MailReportRepo"
import { DateTime, Effect, Layer } from "effect"
import { deleteOlder } from "../../database/Batches.js"
import { prepared } from "../../database/Prepared.js"
import { textList } from "../../database/TextList.js"
import { forRequest, orUnavailable, retryConflicts } from "../../database/Unavailable.js"

/** Stores a report with its rows in one statement. The lock keeps the domain until the report refers to it. */
const storeStatement = /* sql */ `
WITH own AS (
  SELECT id FROM email_domains WHERE organization_id = $1 AND domain = $3 AND status IN ${textList(controlledStatuses)}
  FOR KEY SHARE
), stored AS (
  INSERT INTO mail_reports (organization_id, id, domain_id, kind, reporter, report_id, policy, begins_at, ends_at, total,
    passed, received_at)
  SELECT $1, $2, own.id, $4, $5, $6, $7, $8::timestamptz, $9::timestamptz, $10::bigint, $11::bigint, $12::timestamptz
  FROM own
  ON CONFLICT (organization_id, domain_id, kind, reporter, report_id) DO NOTHING RETURNING id
), sources AS (
  INSERT INTO mail_report_sources (organization_id, report_id, ip, header_from, disposition, dkim, spf, count)
  SELECT $1, stored.id, s.ip, s."headerFrom", s.disposition, s.dkim, s.spf, sum(s.count)
  FROM stored CROSS JOIN json_to_recordset($13::json)
    AS s(ip inet, "headerFrom" text, disposition text, dkim boolean, spf boolean, count bigint)
  GROUP BY 2, 3, 4, 5, 6, 7
), failures AS (
  INSERT INTO mail_report_failures (organization_id, report_id, type, policy_type, receiving_host, count)
  SELECT $1, stored.id, f.type, f."policyType", f."receivingHost", f.count
  FROM stored CROSS JOIN json_to_recordset($14::json)
    AS f(type text, "policyType" text, "receivingHost" text, count bigint)
)
SELECT FROM own`

/** SQL: the reports about a domain in a range. */
const reportsIn = /* sql */ `mail_reports AS r
  WHERE r.organization_id = $1 AND r.domain_id = $2 AND r.begins_at >= $3::timestamptz AND r.begins_at < $4::timestamptz`

/** The reporters, with the totals of all of them in the row without a name. */
const reportersStatement = prepared(
  "mail_reporters",
  /* sql */ `
SELECT kind, name, reports, total, passed FROM (
  SELECT r.kind, r.reporter AS name, count(*)::float8 AS reports, sum(r.total)::float8 AS total,
    sum(r.passed)::float8 AS passed, row_number() OVER (
      PARTITION BY r.kind ORDER BY grouping(r.reporter) DESC, sum(r.total) DESC, r.reporter
    ) AS place
  FROM ${reportsIn} GROUP BY GROUPING SETS ((r.kind), (r.kind, r.reporter))
) AS counted
WHERE place <= ${maxListed + 1} ORDER BY kind, place`
)

const sourcesStatement = prepared(
  "mail_report_sources",
  /* sql */ `
SELECT host(s.ip) AS ip, sum(s.count)::float8 AS total,
  COALESCE(sum(s.count) FILTER (WHERE s.dkim OR s.spf), 0)::float8 AS passed,
  COALESCE(sum(s.count) FILTER (WHERE NOT s.dkim AND NOT s.spf), 0)::float8 AS failed,
  COALESCE(sum(s.count) FILTER (WHERE s.dkim), 0)::float8 AS "dkimPassed",
  COALESCE(sum(s.count) FILTER (WHERE s.spf), 0)::float8 AS "spfPassed",
  COALESCE(sum(s.count) FILTER (WHERE s.disposition = 'none'), 0)::float8 AS "none",
  COALESCE(sum(s.count) FILTER (WHERE s.disposition = 'quarantine'), 0)::float8 AS quarantine,
  COALESCE(sum(s.count) FILTER (WHERE s.disposition = 'reject'), 0)::float8 AS reject,
  (array_agg(DISTINCT s.header_from))[:${maxListed}] AS "headerFrom",
  (array_agg(DISTINCT r.reporter))[:${maxListed}] AS reporters, max(r.ends_at) AS "lastSeenAt"
FROM (SELECT r.organization_id, r.id, r.reporter, r.ends_at FROM ${reportsIn} AND r.kind = 'dmarc') AS r
  JOIN mail_report_sources AS s ON s.organization_id = r.organization_id AND s.report_id = r.id
GROUP BY s.ip ORDER BY failed DESC, total DESC, s.ip LIMIT ${maxListed + 1}`
)

const failuresStatement = prepared(
  "mail_report_failures",
  /* sql */ `
SELECT f.type, f.policy_type AS "policyType", f.receiving_host AS "receivingHost", sum(f.count)::float8 AS count,
  max(r.ends_at) AS "lastSeenAt"
FROM (SELECT r.organization_id, r.id, r.ends_at FROM ${reportsIn} AND r.kind = 'tls') AS r
  JOIN mail_report_failures AS f ON f.organization_id = r.organization_id AND f.report_id = r.id
GROUP BY 1, 2, 3 ORDER BY count DESC, 1, 2, 3 LIMIT ${maxListed + 1}`
)

interface ReporterRow {
  readonly kind: "dmarc" | "tls"
  readonly name: string | null
  readonly reports: number
  readonly total: number
  readonly passed: number
}

interface SourceRow extends Omit<MailSource, "dispositions" | "lastSeenAt"> {
  readonly none: number
  readonly quarantine: number
  readonly reject: number
  readonly lastSeenAt: Date
}

interface FailureRow extends Omit<TlsFailure, "receivingHost" | "lastSeenAt"> {
  readonly receivingHost: string
  readonly lastSeenAt: Date
}

const sourceOf = ({ headerFrom, lastSeenAt, none, quarantine, reject, ...row }: SourceRow): MailSource => ({
  ...row,
  dispositions: { none, quarantine, reject },
  headerFrom: headerFrom.filter((domain) => domain !== ""),
  lastSeenAt: DateTime.unsafeFromDate(lastSeenAt)
})

const failureOf = ({ lastSeenAt, receivingHost, ...row }: FailureRow): TlsFailure => ({
  ...row,
  ...(receivingHost === "" ? {} : { receivingHost }),
  lastSeenAt: DateTime.unsafeFromDate(lastSeenAt)
})

/** The totals of one kind of reports, and their reporters. */
const totalsOf = (rows: ReadonlyArray<ReporterRow>, kind: ReporterRow["kind"]) => {
  const own = rows.filter((row) => row.kind === kind)
  const { passed, reports, total } = own.find(({ name }) => name === null) ?? { reports: 0, total: 0, passed: 0 }
  return {
    totals: {
      reports,
      total,
      failed: total - passed,
      reporters: own.flatMap(({ name, ...row }) =>
        name === null ? [] : [{ name, reports: row.reports, total: row.total, failed: row.total - row.passed }]
      )
    },
    passed,
    rate: total === 0 ? 0 : passed / total
  }
}

const time = (millis: number) => new Date(millis).toISOString()

/** DMARC and TLS reports in the tables `mail_reports`, `mail_report_sources` and `mail_report_failures`. */
export const MailReportRepoSql = Layer.effect(
  MailReportRepo,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    store: ({ id, organizationId, receivedAt, report }) =>
      sql
        .unsafe(storeStatement, [
          organizationId,
          id,
          report.domain,
          report.kind,
          report.reporter,
          report.reportId,
          report.policy,
          time(report.begin),
          time(report.end),
          report.total,
          report.passed,
          DateTime.formatIso(receivedAt),
          JSON.stringify(report.sources),
          JSON.stringify(report.failures)
        ])
        .pipe(
          Effect.map((own) => own.length > 0),
          retryConflicts,
          orUnavailable
        ),
    figures: Effect.fnUntraced(function* (organization, domain, { end, start }) {
      const parameters = [organization, domain, DateTime.formatIso(start), DateTime.formatIso(end)]
      const [reporters, sources, failures] = yield* Effect.all([
        sql.unsafe<ReporterRow>(reportersStatement, parameters),
        sql.unsafe<SourceRow>(sourcesStatement, parameters),
        sql.unsafe<FailureRow>(failuresStatement, parameters)
      ])
      const dmarc = totalsOf(reporters, "dmarc")
      const tls = totalsOf(reporters, "tls")
      return {
        dmarc: {
          ...dmarc.totals,
          passed: dmarc.passed,
          passRate: dmarc.rate,
          sources: sources.slice(0, maxListed).map(sourceOf),
          truncated: sources.length > maxListed
        },
        tls: {
          ...tls.totals,
          successful: tls.passed,
          successRate: tls.rate,
          failures: failures.slice(0, maxListed).map(failureOf),
          truncated: failures.length > maxListed
        }
      }
    }, forRequest),
    deleteExpired: deleteOlder(sql, "mail_reports", "organization_id, id", "received_at")
  }))
)
