import { type MailReport, type ReportedFailure, reportLimits } from "@switchboard/domain/email/reports/MailReport"
import { Array, Either, Schema } from "effect"
import { storableText } from "../../../StorableText.js"
import { addedUp, ReportRefused, reportedCount, reportedDomain, reportedPeriod, reportedText } from "./ReadDmarcXml.js"

/** The fields of a report that are read (RFC 8460 section 4.4). */
const TlsReport = Schema.Struct({
  "organization-name": Schema.String,
  "report-id": Schema.String,
  "date-range": Schema.Struct({ "start-datetime": Schema.String, "end-datetime": Schema.String }),
  policies: Schema.Array(
    Schema.Struct({
      policy: Schema.Struct({ "policy-type": Schema.String, "policy-domain": Schema.String }),
      summary: Schema.Struct({
        "total-successful-session-count": Schema.Unknown,
        "total-failure-session-count": Schema.Unknown
      }),
      "failure-details": Schema.optional(
        Schema.NullOr(
          Schema.Array(
            Schema.Struct({
              "result-type": Schema.String,
              "receiving-mx-hostname": Schema.optional(Schema.NullOr(Schema.String)),
              "failed-session-count": Schema.Unknown
            })
          )
        )
      )
    })
  )
})

const decode = Schema.decodeUnknownEither(TlsReport)

const keyword = /^[a-z0-9-]{1,64}$/

const keywordOf = (text: string, unknown: string): string => {
  const value = text.trim().toLowerCase()
  return keyword.test(value) ? value : unknown
}

const parseJson = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    throw new ReportRefused("The report is no JSON")
  }
}

/** One report for each domain of a TLS report. */
const reportsOf = (report: typeof TlsReport.Type): ReadonlyArray<MailReport> => {
  const range = report["date-range"]
  const common = {
    kind: "tls",
    reporter: reportedText(report["organization-name"], "name of its sender"),
    reportId: reportedText(report["report-id"], "id"),
    ...reportedPeriod(Date.parse(range["start-datetime"]), Date.parse(range["end-datetime"])),
    sources: []
  } as const
  const byDomain = Array.groupBy(report.policies, ({ policy }) => reportedDomain(policy["policy-domain"]))
  const domains = Object.entries(byDomain).filter(([domain]) => domain !== "")
  if (domains.length > reportLimits.domains) {
    throw new ReportRefused(`The report has more than ${reportLimits.domains} domains`)
  }
  return domains.map(([domain, own]) => {
    const failures = new Map<string, ReportedFailure>()
    const types = new Set<string>()
    let [successful, failed] = [0, 0]
    for (const { "failure-details": details, policy, summary } of own) {
      const policyType = keywordOf(policy["policy-type"], "unknown")
      types.add(policyType)
      successful += reportedCount(summary["total-successful-session-count"])
      failed += reportedCount(summary["total-failure-session-count"])
      for (const one of details ?? []) {
        const failure = {
          type: keywordOf(one["result-type"], "unknown"),
          policyType,
          receivingHost: reportedDomain(one["receiving-mx-hostname"] ?? ""),
          count: reportedCount(one["failed-session-count"])
        }
        addedUp(failures, [failure.type, policyType, failure.receivingHost], failure)
      }
    }
    return {
      ...common,
      domain,
      policy: storableText([...types].sort().join(","), 255),
      total: successful + failed,
      passed: successful,
      failures: [...failures.values()]
    }
  })
}

/** Reads an SMTP TLS report (RFC 8460). Throws `ReportRefused`. */
export const readTlsJson = (json: string): ReadonlyArray<MailReport> =>
  Either.match(decode(parseJson(json)), {
    onLeft: () => {
      throw new ReportRefused("The report is no SMTP TLS report")
    },
    onRight: reportsOf
  })
