import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import type { DateRange } from "@switchboard/domain/analytics/DateRange"
import type { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import {
  dispositions,
  type MailReport,
  passesDmarc,
  type ReportedSource
} from "@switchboard/domain/email/reports/MailReport"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { MailReportRepo } from "@switchboard/services/email/reports/MailReportRepo"
import { MailReportRepoSql } from "@switchboard/store/email/reports/MailReportRepoSql"
import { Array, DateTime, Duration, Effect, FastCheck, Layer, Number } from "effect"
import { v7 } from "uuid"
import { makeOrganization } from "../../messages/Fixtures.js"
import { OwnStoreLive } from "../../StoreLive.js"
import { makeDomain, options } from "../receiving/Fixtures.js"

const day = 86_400_000
const firstDay = Date.UTC(2026, 7, 1)
const days = 92

const range = (from: number, to: number): DateRange => ({
  start: DateTime.unsafeMake(firstDay + from * day),
  end: DateTime.unsafeMake(firstDay + to * day)
})

const source: ReportedSource = {
  ip: "192.0.2.1",
  count: 5,
  disposition: "none",
  dkim: true,
  spf: false,
  headerFrom: "example.com"
}

const sumOf = (sources: ReadonlyArray<ReportedSource>) => Number.sumAll(sources.map(({ count }) => count))

const dmarc = (
  domain: string,
  sources: ReadonlyArray<ReportedSource>,
  changes: Partial<MailReport> = {}
): MailReport => ({
  kind: "dmarc",
  reporter: "google.com",
  reportId: v7(),
  domain,
  policy: "none",
  begin: firstDay,
  end: firstDay + day - 1_000,
  total: sumOf(sources),
  passed: sumOf(sources.filter(passesDmarc)),
  sources,
  failures: [],
  ...changes
})

const tls = (domain: string, changes: Partial<MailReport> = {}): MailReport => ({
  ...dmarc(domain, []),
  kind: "tls",
  policy: "sts",
  total: 10,
  passed: 7,
  failures: [{ type: "certificate-expired", policyType: "sts", receivingHost: "mx.example.com", count: 3 }],
  ...changes
})

const store = (organizationId: OrganizationId, report: MailReport, receivedAt = DateTime.unsafeMake(firstDay)) =>
  Effect.flatMap(MailReportRepo, (repo) => repo.store({ id: v7(), organizationId, receivedAt, report }))

const figures = (organization: OrganizationId, domain: EmailDomainId, within = range(0, days)) =>
  Effect.flatMap(MailReportRepo, (repo) => repo.figures(organization, domain, within))

const rowCounts = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ reports: number; sources: number; failures: number }>`SELECT
      (SELECT count(*)::int FROM mail_reports) AS reports,
      (SELECT count(*)::int FROM mail_report_sources) AS sources,
      (SELECT count(*)::int FROM mail_report_failures) AS failures`,
    ([row]) => row
  )
)

const arbitrarySource = FastCheck.record({
  ip: FastCheck.oneof(
    FastCheck.integer({ min: 1, max: 90 }).map((last) => `192.0.2.${last}`),
    FastCheck.integer({ min: 1, max: 9 }).map((last) => `2001:db8::${last}`)
  ),
  count: FastCheck.integer({ min: 1, max: 1_000 }),
  disposition: FastCheck.constantFrom(...dispositions),
  dkim: FastCheck.boolean(),
  spf: FastCheck.boolean(),
  headerFrom: FastCheck.constantFrom("example.com", "mail.example.com", "")
})

/** Whether two sources are one row. */
const rowKey = ({ count: _, ...row }: ReportedSource) => JSON.stringify(row)

/** Reports of three reporters for each day of three months. */
const threeMonths = (domain: string): ReadonlyArray<MailReport> => {
  const made = FastCheck.sample(
    FastCheck.uniqueArray(arbitrarySource, { minLength: 0, maxLength: 12, selector: rowKey }),
    { numRuns: days * 3, seed: 20_261_130 }
  )
  return made.map((sources, n) => {
    const begin = firstDay + Math.floor(n / 3) * day
    const reporter = ["google.com", "Outlook.com", "Yahoo"][n % 3] ?? ""
    return dmarc(domain, sources, { reporter, begin, end: begin + day - 1_000 })
  })
}

/** The expected figures of the sources, computed from the reports. */
const expectedSources = (reports: ReadonlyArray<MailReport>) => {
  const rows = reports.flatMap(({ end, reporter, sources }) => sources.map((one) => ({ ...one, end, reporter })))
  return Object.entries(Array.groupBy(rows, ({ ip }) => ip)).map(([ip, own]) => {
    const sum = (isCounted: (row: ReportedSource) => boolean) => sumOf(own.filter(isCounted))
    const distinct = (of: (row: (typeof own)[number]) => string) =>
      [...new Set(own.map(of))].filter((text) => text !== "").sort()
    return {
      ip,
      total: sum(() => true),
      passed: sum(passesDmarc),
      failed: sum((row) => !passesDmarc(row)),
      dkimPassed: sum(({ dkim }) => dkim),
      spfPassed: sum(({ spf }) => spf),
      dispositions: {
        none: sum(({ disposition }) => disposition === "none"),
        quarantine: sum(({ disposition }) => disposition === "quarantine"),
        reject: sum(({ disposition }) => disposition === "reject")
      },
      headerFrom: distinct(({ headerFrom }) => headerFrom),
      reporters: distinct(({ reporter }) => reporter),
      lastSeenAt: DateTime.unsafeMake(Math.max(...own.map(({ end }) => end)))
    }
  })
}

layer(Layer.provideMerge(MailReportRepoSql, OwnStoreLive), options)("MailReportRepo on PostgreSQL", (it) => {
  it.effect("sums three months of reports, and any part of them", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const { domain, id } = yield* makeDomain(own)
      const all = threeMonths(domain)
      for (const report of all) assert.isTrue(yield* store(own, report))
      // Neither another domain nor another organization is counted.
      const beside = yield* makeDomain(own)
      const other = yield* makeOrganization()
      yield* store(own, dmarc(beside.domain, [source]))
      yield* store(other, dmarc((yield* makeDomain(other)).domain, [source]))
      for (const [from, to] of [
        [0, days],
        [31, 61],
        [91, 92],
        [92, 93]
      ] as const) {
        const part = all.filter(({ begin }) => begin >= firstDay + from * day && begin < firstDay + to * day)
        const { dmarc: found } = yield* figures(own, id, range(from, to))
        const total = Number.sumAll(part.map((one) => one.total))
        const passed = Number.sumAll(part.map((one) => one.passed))
        assert.deepInclude(found, {
          reports: part.length,
          total,
          passed,
          failed: total - passed,
          passRate: total === 0 ? 0 : passed / total,
          truncated: false
        })
        const byIp = (one: { ip: string }, two: { ip: string }) => one.ip.localeCompare(two.ip)
        assert.deepStrictEqual(
          found.sources
            .map((one) => ({ ...one, headerFrom: [...one.headerFrom].sort(), reporters: [...one.reporters].sort() }))
            .sort(byIp),
          expectedSources(part).sort(byIp)
        )
        const order = found.sources.map((one) => [one.failed, one.total])
        assert.deepStrictEqual(
          order,
          order.toSorted(([a = 0, b = 0], [c = 0, d = 0]) => c - a || d - b)
        )
        assert.deepStrictEqual(
          Object.fromEntries(found.reporters.map((one) => [one.name, [one.reports, one.total, one.failed]])),
          Object.fromEntries(
            Object.entries(Array.groupBy(part, ({ reporter }) => reporter)).map(([name, reports]) => {
              const sum = (of: (one: MailReport) => number) => Number.sumAll(reports.map(of))
              return [name, [reports.length, sum((one) => one.total), sum((one) => one.total - one.passed)]]
            })
          )
        )
      }
    })
  )

  it.effect("stores a report once, and none about a domain that the organization does not control", () =>
    Effect.gen(function* () {
      const [own, other] = [yield* makeOrganization(), yield* makeOrganization()]
      const { domain, id } = yield* makeDomain(own)
      const pending = yield* makeDomain(own, { status: "pending" })
      const before = yield* rowCounts
      const report = dmarc(domain, [source, { ...source, dkim: false, count: 2 }])
      assert.isTrue(yield* store(own, report))
      assert.isTrue(yield* store(own, { ...report, sources: [{ ...source, count: 1_000 }] }))
      assert.isFalse(yield* store(other, { ...report, reportId: "2" }))
      assert.isFalse(yield* store(own, dmarc("unknown.example", [source])))
      assert.isFalse(yield* store(own, dmarc(pending.domain, [source])))
      const concurrent = { ...report, reportId: "3" }
      yield* Effect.all(Array.replicate(store(own, concurrent), 5), { concurrency: "unbounded" })
      const after = yield* rowCounts
      assert.strictEqual((after?.reports ?? 0) - (before?.reports ?? 0), 2)
      assert.strictEqual((after?.sources ?? 0) - (before?.sources ?? 0), 4)
      const found = (yield* figures(own, id)).dmarc
      assert.deepInclude(found, { reports: 2, total: 14, passed: 10, failed: 4 })
      // Another reporter, and the other kind of report, can have the same report id.
      yield* store(own, { ...report, reporter: "Yahoo" })
      yield* store(own, tls(domain, { reportId: report.reportId }))
      const { dmarc: more, tls: sessions } = yield* figures(own, id)
      assert.deepStrictEqual([more.reports, sessions.reports], [3, 1])
    })
  )

  it.effect("sums TLS reports by cause", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const { domain, id } = yield* makeDomain(own)
      yield* store(own, tls(domain))
      yield* store(own, tls(domain, { begin: firstDay + day, end: firstDay + 2 * day, reporter: "Yahoo" }))
      yield* store(
        own,
        tls(domain, {
          total: 4,
          passed: 3,
          failures: [{ type: "starttls-not-supported", policyType: "no-policy-found", receivingHost: "", count: 1 }]
        })
      )
      const { dmarc: none, tls: found } = yield* figures(own, id)
      assert.deepInclude(none, { reports: 0, total: 0, passRate: 0, sources: [], reporters: [] })
      assert.deepStrictEqual(found, {
        reports: 3,
        total: 24,
        successful: 17,
        failed: 7,
        successRate: 17 / 24,
        failures: [
          {
            type: "certificate-expired",
            policyType: "sts",
            receivingHost: "mx.example.com",
            count: 6,
            lastSeenAt: DateTime.unsafeMake(firstDay + 2 * day)
          },
          {
            type: "starttls-not-supported",
            policyType: "no-policy-found",
            count: 1,
            lastSeenAt: DateTime.unsafeMake(firstDay + day - 1_000)
          }
        ],
        reporters: [
          { name: "google.com", reports: 2, total: 14, failed: 4 },
          { name: "Yahoo", reports: 1, total: 10, failed: 3 }
        ],
        truncated: false
      })
    })
  )

  it.effect("lists the 100 sources and reporters with most failures, and says that there are more", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const { domain, id } = yield* makeDomain(own)
      const sources = Array.makeBy(120, (n) => ({ ...source, ip: `198.51.100.${n + 1}`, count: n + 1, dkim: n < 60 }))
      yield* store(own, dmarc(domain, sources))
      for (const n of Array.range(1, 110)) yield* store(own, dmarc(domain, [], { reporter: `r${n}` }))
      const { dmarc: found } = yield* figures(own, id)
      assert.deepInclude(found, { reports: 111, total: sumOf(sources), truncated: true })
      assert.lengthOf(found.sources, 100)
      assert.lengthOf(found.reporters, 100)
      assert.deepInclude(found.sources[0], { ip: "198.51.100.120", failed: 120 })
      assert.deepInclude(found.sources[60], { ip: "198.51.100.60", failed: 0, passed: 60 })
    })
  )

  it.effect("deletes reports with their rows after their retention, and with their domain", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { deleteExpired } = yield* MailReportRepo
      yield* sql`DELETE FROM mail_reports`
      const own = yield* makeOrganization()
      const { domain, id } = yield* makeDomain(own)
      const now = yield* DateTime.now
      for (const age of [10, 399, 401, 500]) {
        const receivedAt = DateTime.subtract(now, { days: age })
        yield* store(own, dmarc(domain, [source]), receivedAt)
        yield* store(own, tls(domain), receivedAt)
      }
      assert.strictEqual(yield* deleteExpired(Duration.days(400)), 4)
      assert.deepStrictEqual(yield* rowCounts, { reports: 4, sources: 2, failures: 2 })
      yield* sql`DELETE FROM email_domains WHERE organization_id = ${own} AND id = ${id}`
      assert.deepStrictEqual(yield* rowCounts, { reports: 0, sources: 0, failures: 0 })
    })
  )
})
