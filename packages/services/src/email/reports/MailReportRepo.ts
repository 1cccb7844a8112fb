import type { DateRange } from "@switchboard/domain/analytics/DateRange"
import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import type { MailReport } from "@switchboard/domain/email/reports/MailReport"
import type { MailReports } from "@switchboard/domain/email/reports/MailReports"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type DateTime, type Duration, type Effect } from "effect"

/** The reports in the files of a mail, and why others are not read. */
export interface ReadReports {
  readonly reports: ReadonlyArray<MailReport>
  readonly problems: ReadonlyArray<string>
}

/** Reads untrusted reports outside the main thread, with limits of time, memory and size. */
export class ReportReader extends Context.Tag("services/ReportReader")<
  ReportReader,
  { readonly read: (files: ReadonlyArray<Uint8Array>) => Effect.Effect<ReadReports> }
>() {}

/** A report to store. */
interface NewMailReport {
  readonly id: string
  readonly organizationId: OrganizationId
  readonly receivedAt: DateTime.Utc
  readonly report: MailReport
}

/** Stores the reports about domains. */
export class MailReportRepo extends Context.Tag("services/MailReportRepo")<
  MailReportRepo,
  {
    /**
     * Stores a report once for its domain, reporter and report id. Returns whether the organization has the domain
     * verified or degraded; if not, nothing is stored.
     */
    readonly store: (report: NewMailReport) => Effect.Effect<boolean, ServiceUnavailableError>
    /** The figures of the reports with a period that begins in the range. Failing sources come first. */
    readonly figures: (
      organization: OrganizationId,
      domain: EmailDomainId,
      range: DateRange
    ) => Effect.Effect<Pick<MailReports, "dmarc" | "tls">, ServiceUnavailableError>
    /** Deletes reports that were received before `retention` ago, in batches. Returns their number. */
    readonly deleteExpired: (retention: Duration.Duration) => Effect.Effect<number, ServiceUnavailableError>
  }
>() {}
