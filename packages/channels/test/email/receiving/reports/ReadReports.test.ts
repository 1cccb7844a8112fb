import { gzipSync } from "node:zlib"
import { assert, describe, it, layer } from "@effect/vitest"
import { readReports } from "@switchboard/channels/email/receiving/reports/ReadReports"
import { ReportReaderWorker } from "@switchboard/channels/email/receiving/reports/ReportReaderWorker"
import type { MailReport } from "@switchboard/domain/email/reports/MailReport"
import { ReportReader } from "@switchboard/services/email/reports/MailReportRepo"
import { Effect, Layer } from "effect"
import { zipSync } from "fflate"
import { mimeWorkers } from "../MimeWorkers.js"
import {
  dmarcXml,
  gzipped,
  type MadeRow,
  octetsOf,
  outlookXml,
  rfc9990Xml,
  tlsJson,
  yahooXml,
  zipped
} from "./ReportFixtures.js"

const passing: MadeRow = { ip: "192.0.2.10", count: 12, disposition: "none", dkim: "pass", spf: "pass" }
const failing: MadeRow = { ip: "203.0.113.9", count: 3, disposition: "reject", dkim: "fail", spf: "fail" }
const google = dmarcXml([passing, failing])

/** The report in a file, which must be one. */
const reportIn = (octets: Uint8Array): MailReport => {
  const { problems, reports } = readReports([octets])
  assert.deepStrictEqual(problems, [])
  assert.lengthOf(reports, 1)
  return reports[0] ?? assert.fail()
}

/** Why a file is refused. */
const problemOf = (content: Uint8Array | string): string => {
  const { problems, reports } = readReports([typeof content === "string" ? octetsOf(content) : content])
  assert.deepStrictEqual(reports, [])
  assert.lengthOf(problems, 1)
  return problems[0] ?? ""
}

const mebibyte = 1024 * 1024

describe("A DMARC report", () => {
  it("is read as text, gzip and zip", () => {
    const expected: MailReport = {
      kind: "dmarc",
      reporter: "google.com",
      reportId: "949348866075514174",
      domain: "example.com",
      policy: "quarantine",
      begin: 1_792_454_400_000,
      end: 1_792_540_799_000,
      total: 15,
      passed: 12,
      sources: [
        { ip: "192.0.2.10", count: 12, disposition: "none", dkim: true, spf: true, headerFrom: "example.com" },
        { ip: "203.0.113.9", count: 3, disposition: "reject", dkim: false, spf: false, headerFrom: "example.com" }
      ],
      failures: []
    }
    for (const octets of [octetsOf(google), octetsOf(`\uFEFF${google}`), gzipped(google), zipped(google)]) {
      assert.deepStrictEqual(reportIn(octets), expected)
    }
  })

  it("is read in UTF-16 and the charset of its declaration", () => {
    const named = (encoding: string) =>
      google.replace("google.com", "Müller").replace('encoding="UTF-8"', `encoding="${encoding}"`)
    const utf16 = Buffer.from(`\uFEFF${named("UTF-16")}`, "utf16le")
    for (const octets of [
      utf16,
      Buffer.from(utf16).swap16(),
      Buffer.from(named("ISO-8859-1"), "latin1"),
      Buffer.from(named("unknown"))
    ]) {
      assert.deepInclude(reportIn(octets), { reporter: "Müller", total: 15 })
    }
  })

  it("is read in the forms of Outlook.com, Yahoo and RFC 9990", () => {
    const outlook = reportIn(gzipped(outlookXml))
    assert.deepInclude(outlook, { reporter: "Outlook.com", policy: "none", total: 7, passed: 7 })
    assert.deepInclude(outlook.sources[0], { dkim: true, spf: false })
    const yahoo = reportIn(octetsOf(yahooXml))
    assert.deepInclude(yahoo, { domain: "example.com", policy: "reject", total: 3, passed: 0 })
    assert.deepInclude(yahoo.sources[0], { ip: "2001:db8::25", headerFrom: "example.com", dkim: false })
    const successor = reportIn(octetsOf(rfc9990Xml))
    assert.deepInclude(successor, { reporter: "Reporter <One>", total: 123, passed: 123 })
    assert.deepInclude(successor.sources[0], { disposition: "none", dkim: true, spf: false })
  })

  it("adds up equal rows, and leaves out those without mails", () => {
    const none = { ...failing, ip: "203.0.113.10", count: 0 }
    const { sources, total } = reportIn(octetsOf(dmarcXml([passing, failing, none, passing])))
    assert.strictEqual(total, 27)
    assert.deepStrictEqual(
      sources.map(({ count, ip }) => [ip, count]),
      [
        ["192.0.2.10", 24],
        ["203.0.113.9", 3]
      ]
    )
  })

  it("is read with a malformed element, as some receivers write it", () => {
    const malformed = google.replace("noreply-dmarc-support@google.com", "<bad-xml@bad-xml.net>")
    assert.strictEqual(reportIn(octetsOf(malformed)).total, 15)
  })

  it("is refused with a document type, so that no entity is declared or fetched", () => {
    const declared = (subset: string) =>
      google.replace("<feedback>", `<!DOCTYPE feedback ${subset}>\n<feedback>`).replace("google.com", "&x;")
    for (const subset of [
      "",
      '[<!ENTITY x "expanded">]',
      '[<!ENTITY x SYSTEM "file:///etc/passwd">]',
      'SYSTEM "http://127.0.0.1/x.dtd"',
      '[<!ENTITY a "aaaa"><!ENTITY x "&a;&a;&a;">]'
    ]) {
      assert.include(problemOf(declared(subset)), "document type")
    }
    const undeclared = reportIn(octetsOf(google.replace("<org_name>google.com", "<org_name>&x;")))
    assert.strictEqual(undeclared.reporter, "&x;")
  })

  it("is refused if it is incomplete or has values that are none", () => {
    for (const broken of [
      google.slice(0, -20),
      google.replace("192.0.2.10", "192.0.2.10.5"),
      google.replace("192.0.2.10", "fe80::1%eth0"),
      google.replace("<count>12</count>", "<count>-12</count>"),
      google.replace("<count>12</count>", "<count>1e300</count>"),
      google.replace("<begin>1792454400</begin>", "<begin>yesterday</begin>"),
      google.replace("<begin>1792454400</begin>", "<begin>999999999999</begin>"),
      google.replace("<domain>example.com</domain>\n    <adkim>", "<domain>-</domain>\n    <adkim>"),
      google.replace("<report_id>949348866075514174</report_id>", ""),
      `${"<feedback>".repeat(40)}${"</feedback>".repeat(40)}`,
      "<html><body>Hello</body></html>",
      "Hello",
      ""
    ]) {
      assert.match(problemOf(broken), /^(?:The|A) /, broken.slice(0, 80))
    }
  })

  it("is refused with too many octets or rows, compressed or not", () => {
    const bomb = " ".repeat(11 * mebibyte) + google
    assert.strictEqual(gzipped(bomb).length < 20_000, true)
    for (const octets of [octetsOf(bomb), gzipped(bomb), zipped(bomb)]) {
      assert.strictEqual(problemOf(octets), "The report has more than 10485760 octets")
    }
    const lying = zipped(bomb)
    // The sizes in the local header and in the central directory.
    const view = new DataView(lying.buffer)
    const directory = lying.findLastIndex((_, at) => at + 4 <= lying.length && view.getUint32(at, true) === 0x02014b50)
    view.setUint32(22, 1_000, true)
    view.setUint32(directory + 24, 1_000, true)
    assert.strictEqual(problemOf(lying), "The report is no complete DMARC report")
    const rows = Array.from({ length: 10_001 }, (_, n) => ({ ...failing, ip: `10.0.${n >> 8}.${n & 255}` }))
    assert.strictEqual(problemOf(gzipped(dmarcXml(rows))), "The report has more than 10000 rows")
    assert.lengthOf(reportIn(gzipped(dmarcXml(rows.slice(1)))).sources, 10_000)
  })

  it("is refused in a damaged archive; other files of the mail are read", () => {
    const damaged = zipped(google)
    damaged.fill(255, 80, 200)
    const files = [gzipped(google).subarray(0, 60), damaged, zipSync({ "folder/": new Uint8Array() }), gzipped(google)]
    const { problems, reports } = readReports(files)
    assert.lengthOf(reports, 1)
    assert.lengthOf(problems, 3)
  })
})

describe("A TLS report", () => {
  it("is read for each of its domains, as JSON and gzip", () => {
    for (const octets of [octetsOf(tlsJson()), gzipped(tlsJson())]) {
      const { problems, reports } = readReports([octets])
      assert.deepStrictEqual(problems, [])
      assert.deepStrictEqual(
        reports.map(({ domain, passed, policy, total }) => [domain, policy, total, passed]),
        [
          ["example.com", "sts", 5629, 5326],
          ["other.example", "no-policy-found", 9, 9]
        ]
      )
      assert.deepInclude(reports[0], {
        kind: "tls",
        reporter: "Company-X",
        begin: Date.UTC(2026, 9, 20),
        failures: [
          { type: "certificate-expired", policyType: "sts", receivingHost: "mx1.mail.example.com", count: 100 },
          { type: "starttls-not-supported", policyType: "sts", receivingHost: "mx2.mail.example.com", count: 200 },
          { type: "sts-policy-fetch-error", policyType: "sts", receivingHost: "", count: 3 }
        ]
      })
    }
  })

  it("is refused with more domains than one mail system reports about", () => {
    const report = JSON.parse(tlsJson())
    const [one] = report.policies
    const policies = Array.from({ length: 101 }, (_, at) => ({
      ...one,
      policy: { ...one.policy, "policy-domain": `d${at}.example` }
    }))
    assert.strictEqual(problemOf(JSON.stringify({ ...report, policies })), "The report has more than 100 domains")
    assert.lengthOf(
      readReports([octetsOf(JSON.stringify({ ...report, policies: policies.slice(0, 100) }))]).reports,
      100
    )
  })

  it("is refused if it is malformed", () => {
    const [, ...rest] = tlsJson()
    for (const broken of [
      "{",
      "{}",
      `{${rest.join("")}}`,
      tlsJson().replace("5326", "-1"),
      tlsJson().replace("2026-10-20T00:00:00Z", "soon"),
      tlsJson().replace('"report-id":', '"id":')
    ]) {
      assert.match(problemOf(broken), /^(?:The|A) /, broken.slice(0, 40))
    }
  })
})

layer(Layer.provide(ReportReaderWorker, mimeWorkers({ timeout: "15 seconds" })))(
  "The reader in a worker thread",
  (it) => {
    it.effect("reads reports and names problems", () =>
      Effect.gen(function* () {
        const { read } = yield* ReportReader
        const { problems, reports } = yield* read([
          gzipped(google),
          octetsOf(tlsJson()),
          new Uint8Array(gzipSync(Buffer.alloc(64 * mebibyte)))
        ])
        assert.deepStrictEqual(problems, ["The report has more than 10485760 octets"])
        assert.deepStrictEqual(
          reports.map(({ kind, total }) => [kind, total]),
          [
            ["dmarc", 15],
            ["tls", 5629],
            ["tls", 9]
          ]
        )
      })
    )
  }
)
