import type { RequestedRange } from "@switchboard/domain/analytics/DateRange"
import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { addressKey, withoutDetail } from "@switchboard/domain/email/EmailAddress"
import type { MailAuthentication } from "@switchboard/domain/email/receiving/MailAuthentication"
import { isReportPart, type MailReport, reportLimits } from "@switchboard/domain/email/reports/MailReport"
import type { MailReports } from "@switchboard/domain/email/reports/MailReports"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Array, Effect, Metric, Option } from "effect"
import { byLabels } from "../../ByLabels.js"
import { newUuid } from "../../NewId.js"
import { OrganizationRepo } from "../../organizations/OrganizationRepo.js"
import { requestedRanges } from "../../organizations/RequestedRanges.js"
import { domainNotFound } from "../domains/DomainChecks.js"
import { DomainRepo } from "../domains/DomainRepo.js"
import type { FeedbackOutcome } from "../feedback/Feedback.js"
import { type InboundMail, isReportAddress } from "../receiving/InboundMail.js"
import type { ReadMail } from "../receiving/ReadMail.js"
import { MailReportRepo, ReportReader } from "./MailReportRepo.js"

/** Reports go to the address for reports; earlier DMARC records named the postmaster. */
const takesReports = ({ address, kind }: InboundMail["recipients"][number]): boolean =>
  isReportAddress(kind) || (kind._tag === "Address" && withoutDetail(addressKey(address)).startsWith("postmaster@"))

/**
 * A TLS report needs a valid DKIM signature (RFC 8460 section 3). For a DMARC report SPF suffices: small receivers do not
 * sign their reports.
 */
const isAuthentic = ({ kind }: MailReport, { dkim, spf }: MailAuthentication): boolean =>
  dkim === "pass" || (kind === "dmarc" && spf === "pass")

/** By result: stored, or why a report is ignored. */
const reports = byLabels(
  Metric.counter("switchboard_mail_reports_total", {
    description: "Received DMARC and TLS reports by kind and result: stored, unreadable, forged or foreign",
    incremental: true
  })
)

const countReports = (kind: MailReport["kind"] | "unknown", result: string, count = 1) =>
  Effect.sync(() => reports({ kind, result }).unsafeUpdate(count, []))

/** Reads DMARC and TLS reports in received mail, and sums them. */
export class MailReporting extends Effect.Service<MailReporting>()("services/MailReporting", {
  effect: Effect.gen(function* () {
    const reader = yield* ReportReader
    const repo = yield* MailReportRepo

    const ignore = ({ id, organizationId }: InboundMail, problem: string) =>
      Effect.logInfo("A received report is ignored").pipe(
        Effect.annotateLogs({ messageId: id, organizationId, problem })
      )

    /** Stores an authentic report about a domain of the organization. Returns whether it is one. */
    const store = Effect.fnUntraced(function* (mail: InboundMail, report: MailReport) {
      const { organizationId, receivedAt } = mail
      const id = newUuid(receivedAt.epochMillis)
      const isOwn = yield* repo.store({ id, organizationId, receivedAt, report })
      yield* countReports(report.kind, isOwn ? "stored" : "foreign")
      if (!isOwn) yield* ignore(mail, "It is about a domain that the organization does not have")
      return isOwn
    })

    /**
     * Stores the reports of a mail. `unclassified` if it has none, `tooEarly` if its sender can't be authenticated now.
     */
    const process = (
      mail: InboundMail,
      { parts }: Pick<ReadMail, "parts">,
      authenticate: Effect.Effect<MailAuthentication>
    ): Effect.Effect<FeedbackOutcome, ServiceUnavailableError> =>
      Effect.gen(function* () {
        const files = mail.recipients.some(takesReports) ? parts.filter(isReportPart).slice(0, reportLimits.parts) : []
        if (files.length === 0) return "unclassified"
        const { problems, reports } = yield* reader.read(files.map(({ content }) => content))
        yield* Effect.forEach(problems, (problem) => ignore(mail, problem), { discard: true })
        if (problems.length > 0) yield* countReports("unknown", "unreadable", problems.length)
        if (reports.length === 0) return "unclassified"
        const authentication = yield* authenticate
        const [forged, authentic] = Array.partition(reports, (report) => isAuthentic(report, authentication))
        const isUncertain = authentication.dkim === "temperror" || authentication.spf === "temperror"
        if (forged.length > 0 && isUncertain) return "tooEarly"
        yield* Effect.forEach(forged, ({ kind }) => countReports(kind, "forged"), { discard: true })
        if (forged.length > 0) yield* ignore(mail, "Its sender is not authenticated by DKIM or SPF")
        const own = yield* Effect.forEach(authentic, (report) => store(mail, report))
        return own.some((isOwn) => isOwn) ? "done" : "unclassified"
      })

    return { process } as const
  })
}) {}

/** The figures of reports about domains. */
export class ReportFigures extends Effect.Service<ReportFigures>()("services/ReportFigures", {
  effect: Effect.gen(function* () {
    const domains = yield* DomainRepo
    const repo = yield* MailReportRepo
    const { rangeNow } = requestedRanges(yield* OrganizationRepo)

    const ofDomain = Effect.fn("ReportFigures.ofDomain")(function* (
      organization: OrganizationId,
      id: EmailDomainId,
      requested: RequestedRange
    ) {
      const found = yield* domains.find(organization, id)
      if (Option.isNone(found)) return yield* domainNotFound(id)
      const range = yield* rangeNow(organization, requested)
      const figures: MailReports = {
        domain: found.value.domain,
        startDate: range.start,
        endDate: range.end,
        ...(yield* repo.figures(organization, id, range))
      }
      return figures
    })

    return { ofDomain } as const
  })
}) {}
