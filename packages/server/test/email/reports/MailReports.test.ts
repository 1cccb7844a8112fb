import { assert, layer } from "@effect/vitest"
import { keyRecord, signed, text } from "@switchboard/channels/testing/email/receiving/Authenticating"
import {
  dmarcXml,
  gzipped,
  type MadeRow,
  octetsOf,
  tlsJson,
  zipped
} from "@switchboard/channels/testing/email/receiving/reports/ReportFixtures"
import { Effect } from "effect"
import { LiveService, until } from "../../LiveService.js"
import { deliver, ReceivingService, receivingDomain, verifiedDomain } from "../ReceivingService.js"

const passing: MadeRow = { ip: "192.0.2.10", count: 12, disposition: "none", dkim: "pass", spf: "fail" }
const failing: MadeRow = { ip: "203.0.113.9", count: 3, disposition: "reject", dkim: "fail", spf: "fail" }

/** The days of the generated reports. */
const days = "startDate=2026-10-01T00:00:00Z&endDate=2026-11-01T00:00:00Z"

/** A mail of a reporter with a report as its only part, as Google and Microsoft send them. */
const reportMail = (subject: string, contentType: string, content: Uint8Array, filename?: string) =>
  [
    "From: Reports <noreply@reporter.test>",
    "To: reports@bounce.example.com",
    `Subject: ${subject}`,
    `Message-ID: <${subject.replaceAll(" ", "-")}@reporter.test>`,
    "MIME-Version: 1.0",
    `Content-Type: ${contentType}`,
    `Content-Disposition: attachment${filename === undefined ? "" : `; filename="${filename}"`}`,
    "Content-Transfer-Encoding: base64",
    "",
    Buffer.from(content).toString("base64").replace(/.{76}/g, "$&\r\n")
  ].join("\r\n")

/** Lets the reporter's mail pass SPF from this host, and DKIM. */
const publishReporter = Effect.map(ReceivingService, ({ zone }) => {
  zone["reporter.test"] = [text("v=spf1 ip4:127.0.0.1 -all")]
  zone["sm1._domainkey.reporter.test"] = [keyRecord]
})

const reportsOf = Effect.fnUntraced(function* (id: string, query = days) {
  const { call } = yield* LiveService
  const { body, status } = yield* call("GET", `/v1/email/domains/${id}/reports?${query}`)
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body
})

/** The subjects of received messages. */
const receivedSubjects = Effect.gen(function* () {
  const { call } = yield* LiveService
  const { body } = yield* call("GET", "/v1/messages?limit=100")
  const items: ReadonlyArray<{ direction: string; content: { subject: string } }> = body.items
  return items.flatMap(({ content, direction }) => (direction === "inbound" ? [content.subject] : []))
})

const bring = (to: string, mail: string, from = "noreply@reporter.test") =>
  Effect.map(deliver(from, to, mail), (reply) => assert.match(reply, /^250/))

/** Waits until a mail, which is no report, is received as a message. */
const received = (subject: string) => until(receivedSubjects, (subjects) => subjects.includes(subject))

const advised = (domain: { readonly dnsRecords: ReadonlyArray<{ readonly name: string; readonly value: string }> }) =>
  domain.dnsRecords.flatMap(({ name, value }) => (/^_(?:dmarc|smtp)\./.test(name) ? [[name, value]] : []))

layer(ReceivingService.Shared, { excludeTestServices: true })("DMARC and TLS reports over SMTP", (it) => {
  it.effect("to the advised address become figures of the domain, once, and no messages", () =>
    Effect.gen(function* () {
      yield* publishReporter
      const made = yield* verifiedDomain("figures.test")
      const to = "reports@bounce.figures.test"
      assert.deepStrictEqual(advised(made), [["_dmarc.figures.test", `v=DMARC1; p=none; rua=mailto:${to}`]])
      const xml = (reportId: string, rows: ReadonlyArray<MadeRow>) =>
        dmarcXml(rows, { domain: "figures.test", reportId })
      yield* bring(to, reportMail("Google", "application/zip", zipped(xml("1", [passing, failing]))))
      yield* bring(to, reportMail("Outlook", "application/gzip", gzipped(xml("2", [passing]))))
      yield* bring(to, reportMail("Plain", "text/xml; charset=utf-8", octetsOf(xml("3", [failing]))))
      yield* bring(to, reportMail("Named", "application/octet-stream", gzipped(xml("4", [passing])), "a!b!1!2.xml.gz"))
      // The same report in a mail of its own.
      yield* bring(to, reportMail("Repeated", "application/gzip", gzipped(xml("1", [passing, failing]))))
      const tls = reportMail("TLS", "application/tlsrpt+gzip", gzipped(tlsJson("figures.test", "a")))
      yield* bring(to, (yield* signed(tls, "reporter.test")).toString("latin1"))
      const plain = reportMail("TLS JSON", "application/tlsrpt+json", octetsOf(tlsJson("figures.test", "b")))
      yield* bring(to, (yield* signed(plain, "reporter.test")).toString("latin1"))
      const {
        dmarc,
        domain,
        endDate,
        startDate,
        tls: sessions
      } = yield* until(reportsOf(made.id), (found) => found.dmarc.reports === 4 && found.tls.reports === 2)
      assert.deepStrictEqual(
        [domain, startDate, endDate],
        ["figures.test", "2026-10-01T00:00:00.000Z", "2026-11-01T00:00:00.000Z"]
      )
      assert.deepInclude(dmarc, { total: 42, passed: 36, failed: 6, passRate: 36 / 42, truncated: false })
      assert.deepStrictEqual(dmarc.sources, [
        {
          ip: "203.0.113.9",
          total: 6,
          passed: 0,
          failed: 6,
          dkimPassed: 0,
          spfPassed: 0,
          dispositions: { none: 0, quarantine: 0, reject: 6 },
          headerFrom: ["example.com"],
          reporters: ["google.com"],
          lastSeenAt: "2026-10-20T23:59:59.000Z"
        },
        {
          ip: "192.0.2.10",
          total: 36,
          passed: 36,
          failed: 0,
          dkimPassed: 36,
          spfPassed: 0,
          dispositions: { none: 36, quarantine: 0, reject: 0 },
          headerFrom: ["example.com"],
          reporters: ["google.com"],
          lastSeenAt: "2026-10-20T23:59:59.000Z"
        }
      ])
      assert.deepInclude(sessions, { reports: 2, total: 11_258, successful: 10_652, failed: 606 })
      assert.deepInclude(sessions.failures[0], { type: "starttls-not-supported", count: 400 })
      // An earlier range has nothing.
      const none = yield* reportsOf(made.id, "startDate=2026-09-01T00:00:00Z&endDate=2026-10-01T00:00:00Z")
      assert.deepInclude(none.dmarc, { reports: 0, total: 0, sources: [] })
      assert.deepStrictEqual(yield* receivedSubjects, [])
    })
  )

  it.effect("that are refused change nothing, and their mails are received", () =>
    Effect.gen(function* () {
      yield* publishReporter
      const { call } = yield* LiveService
      const made = yield* verifiedDomain("refusing.test")
      const to = "reports@bounce.refusing.test"
      const xml = dmarcXml([passing], { domain: "refusing.test" })
      const entity = xml.replace(
        "<feedback>",
        '<!DOCTYPE feedback [<!ENTITY x SYSTEM "file:///etc/passwd">]><feedback>'
      )
      const cases: ReadonlyArray<readonly [subject: string, type: string, content: Uint8Array]> = [
        ["Bomb", "application/gzip", gzipped(" ".repeat(200 * 1024 * 1024))],
        ["Zipped bomb", "application/zip", zipped(" ".repeat(50 * 1024 * 1024))],
        ["Entity", "text/xml", octetsOf(entity)],
        ["Image", "image/png", gzipped(xml)],
        ["Words", "application/gzip", gzipped("Hello")],
        ["Unknown domain", "application/gzip", gzipped(dmarcXml([passing], { domain: "elsewhere.test" }))],
        // The local domain is that of the first organization.
        ["Foreign", "application/gzip", gzipped(dmarcXml([passing], { domain: "localhost.test" }))],
        ["Unsigned TLS", "application/tlsrpt+gzip", gzipped(tlsJson("refusing.test"))]
      ]
      for (const [subject, type, content] of cases) yield* bring(to, reportMail(subject, type, content))
      yield* bring(to, reportMail("Forged", "application/gzip", gzipped(xml)), "noreply@forger.test")
      for (const [subject] of cases) yield* received(subject)
      yield* received("Forged")
      const { dmarc, tls } = yield* reportsOf(made.id)
      assert.deepStrictEqual([dmarc.reports, tls.reports], [0, 0])
      // The mail is stored as it came.
      const { body } = yield* call("GET", "/v1/messages?limit=100")
      const bomb = body.items.find((one: { content: { subject: string } }) => one.content.subject === "Bomb")
      assert.lengthOf((yield* call("GET", `/v1/email/${bomb.id}`)).body.attachments, 1)
      // The address exists for the domains of the organization only.
      assert.match(yield* deliver("noreply@reporter.test", "reports@bounce.elsewhere.test", "x"), /^550/)
    })
  )

  it.effect("to the postmaster are read and received, and the domain advises TLS reports once it receives", () =>
    Effect.gen(function* () {
      yield* publishReporter
      yield* receivingDomain("postmaster.test", { addresses: ["help"] })
      const { call } = yield* LiveService
      const { body } = yield* call("GET", "/v1/email/domains?limit=100")
      const made = body.items.find((one: { readonly domain: string }) => one.domain === "postmaster.test")
      const rua = "rua=mailto:reports@bounce.postmaster.test"
      assert.deepStrictEqual(advised(made), [
        ["_dmarc.postmaster.test", `v=DMARC1; p=none; ${rua}`],
        ["_smtp._tls.postmaster.test", `v=TLSRPTv1; ${rua}`]
      ])
      const xml = dmarcXml([passing], { domain: "postmaster.test" })
      yield* bring("postmaster@postmaster.test", reportMail("To postmaster", "application/gzip", gzipped(xml)))
      yield* bring("help@postmaster.test", reportMail("To help", "application/gzip", gzipped(xml.replace("5174", "9"))))
      yield* received("To postmaster")
      yield* received("To help")
      assert.strictEqual((yield* reportsOf(made.id)).dmarc.reports, 1)
    })
  )

  it.effect("are read by their organization alone, with valid parameters", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const { id } = yield* verifiedDomain("parameters.test")
      const missing = yield* call("GET", "/v1/email/domains/01a1fc1e-0f1a-7c52-9d0e-6a8f5b2c3d41/reports")
      assert.deepInclude(missing, { status: 404 })
      const reversed = yield* call("GET", `/v1/email/domains/${id}/reports?startDate=2026-10-02&endDate=2026-10-01`)
      assert.deepInclude(reversed, { status: 400 })
      const long = yield* call("GET", `/v1/email/domains/${id}/reports?startDate=2020-01-01&endDate=2026-10-01`)
      assert.deepInclude(long, { status: 400 })
      assert.deepInclude((yield* reportsOf(id, "")).dmarc, { reports: 0, passRate: 0 })
    })
  )
})
