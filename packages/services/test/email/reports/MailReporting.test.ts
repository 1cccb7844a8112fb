import { assert, it } from "@effect/vitest"
import { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { MailAuthentication } from "@switchboard/domain/email/receiving/MailAuthentication"
import type { MailReport } from "@switchboard/domain/email/reports/MailReport"
import { MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { InboundMail, RecipientKind } from "@switchboard/services/email/receiving/InboundMail"
import type { ReadPart } from "@switchboard/services/email/receiving/ReadMail"
import { MailReporting } from "@switchboard/services/email/reports/MailReporting"
import { MailReportRepo, ReportReader } from "@switchboard/services/email/reports/MailReportRepo"
import { DateTime, Effect, Layer, Schema } from "effect"
import { v7 } from "uuid"

const domainId = EmailDomainId.make(v7())
const forReports: RecipientKind = { _tag: "Address", domainId, isForReports: true }
const ordinary: RecipientKind = { _tag: "Address", domainId }

const mailTo = (address: string, kind: RecipientKind): InboundMail => ({
  id: MessageId.make(v7()),
  organizationId: OrganizationId.make(v7()),
  mailFrom: "noreply@reporter.test",
  recipients: [{ address: Schema.decodeSync(EmailAddress)(address), kind }],
  remoteAddress: "192.0.2.1",
  helo: "mx.reporter.test",
  tls: true,
  raw: new Uint8Array(),
  receivedAt: DateTime.unsafeMake("2026-11-20T00:00:00Z")
})

const report = (kind: "dmarc" | "tls", domain = "own.test"): MailReport => ({
  kind,
  reporter: "reporter.test",
  reportId: v7(),
  domain,
  policy: "none",
  begin: 0,
  end: 1,
  total: 1,
  passed: 1,
  sources: [],
  failures: []
})

const part = (contentType: string, filename: string | null = null): ReadPart => ({
  filename,
  contentType,
  contentId: null,
  isInline: false,
  content: new Uint8Array([1])
})

const passed = { spf: "pass", dkim: "pass", dmarc: "pass" }

interface Case {
  readonly to?: string
  readonly kind?: RecipientKind
  readonly parts?: ReadonlyArray<ReadPart>
  readonly reports?: ReadonlyArray<MailReport>
  readonly authentication?: MailAuthentication
}

/** Processes a mail; returns the outcome, and the number of read files and stored reports. */
const processed = ({
  authentication = passed,
  kind = forReports,
  parts = [part("application/gzip")],
  reports = [report("dmarc")],
  to = "reports@bounce.own.test"
}: Case = {}) =>
  Effect.gen(function* () {
    let [files, stored, checks] = [0, 0, 0]
    const Ports = Layer.merge(
      Layer.succeed(ReportReader, {
        read: (read) =>
          Effect.sync(() => {
            files += read.length
            return { reports, problems: reports.length === 0 ? ["The report is no JSON"] : [] }
          })
      }),
      Layer.mock(MailReportRepo, {
        store: ({ report: { domain } }) =>
          Effect.sync(() => {
            if (domain === "own.test") stored += 1
            return domain === "own.test"
          })
      })
    )
    const { process } = yield* MailReporting.pipe(Effect.provide(Layer.provide(MailReporting.Default, Ports)))
    const authenticate = Effect.sync(() => {
      checks += 1
      return authentication
    })
    const outcome = yield* process(mailTo(to, kind), { parts }, authenticate)
    return { outcome, files, stored, checks }
  })

it.effect("reads the files of a mail to the address for reports, and to the postmaster of earlier records", () =>
  Effect.gen(function* () {
    const done = { outcome: "done", files: 1, stored: 1, checks: 1 }
    assert.deepStrictEqual(yield* processed(), done)
    assert.deepStrictEqual(yield* processed({ to: "Postmaster@own.test", kind: ordinary }), done)
    const unread = { outcome: "unclassified", files: 0, stored: 0, checks: 0 }
    assert.deepStrictEqual(yield* processed({ to: "help@own.test", kind: ordinary }), unread)
    assert.deepStrictEqual(yield* processed({ to: "reports@own.test", kind: ordinary }), unread)
    const caught: RecipientKind = { _tag: "CatchAll", domainId }
    assert.deepStrictEqual(yield* processed({ to: "postmaster@own.test", kind: caught }), unread)
  })
)

it.effect("reads files of the media types of reports only, at most five", () =>
  Effect.gen(function* () {
    const types = [
      "application/gzip",
      "application/x-gzip",
      "application/zip",
      "application/x-zip-compressed",
      "text/xml",
      "application/xml",
      "application/tlsrpt+gzip",
      "application/tlsrpt+json"
    ]
    for (const type of types) assert.strictEqual((yield* processed({ parts: [part(type)] })).files, 1, type)
    const others = [
      part("text/plain", "report.xml"),
      part("image/png", "report.zip"),
      part("application/json", "report.json"),
      part("application/octet-stream", "report.exe"),
      part("application/octet-stream")
    ]
    assert.strictEqual((yield* processed({ parts: others })).files, 0)
    const named = [part("application/octet-stream", "a!b!1!2.XML.GZ")]
    assert.strictEqual((yield* processed({ parts: [...others, ...named] })).files, 1)
    assert.strictEqual((yield* processed({ parts: Array.from({ length: 9 }, () => part("text/xml")) })).files, 5)
  })
)

it.effect("stores nothing of a sender that is not authenticated, and waits for failed look-ups", () =>
  Effect.gen(function* () {
    const by = (dkim: string, spf: string, kind: "dmarc" | "tls") =>
      Effect.map(
        processed({ reports: [report(kind)], authentication: { dkim, spf, dmarc: "none" } }),
        ({ outcome, stored }) => [outcome, stored]
      )
    assert.deepStrictEqual(yield* by("pass", "fail", "dmarc"), ["done", 1])
    assert.deepStrictEqual(yield* by("none", "pass", "dmarc"), ["done", 1])
    assert.deepStrictEqual(yield* by("fail", "softfail", "dmarc"), ["unclassified", 0])
    assert.deepStrictEqual(yield* by("temperror", "none", "dmarc"), ["tooEarly", 0])
    assert.deepStrictEqual(yield* by("temperror", "pass", "dmarc"), ["done", 1])
    assert.deepStrictEqual(yield* by("pass", "none", "tls"), ["done", 1])
    assert.deepStrictEqual(yield* by("none", "pass", "tls"), ["unclassified", 0])
    assert.deepStrictEqual(yield* by("temperror", "pass", "tls"), ["tooEarly", 0])
  })
)

it.effect("leaves a mail without a report about a domain of the organization unclassified", () =>
  Effect.gen(function* () {
    assert.deepInclude(yield* processed({ reports: [] }), { outcome: "unclassified", checks: 0 })
    assert.deepInclude(yield* processed({ reports: [report("dmarc", "foreign.test")] }), {
      outcome: "unclassified",
      stored: 0
    })
    const mixed = [report("tls", "foreign.test"), report("tls")]
    assert.deepInclude(yield* processed({ reports: mixed }), { outcome: "done", stored: 1 })
  })
)
