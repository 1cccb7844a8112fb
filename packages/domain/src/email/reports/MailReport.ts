/** What a receiver did with mail: `pass` is new in RFC 9990, and counts as `none`. */
export const dispositions = ["none", "quarantine", "reject"] as const
export type Disposition = (typeof dispositions)[number]

/** Mail from one address that a receiver evaluated alike. */
export interface ReportedSource {
  readonly ip: string
  readonly count: number
  readonly disposition: Disposition
  /** Whether a signature of an aligned domain passed DKIM. */
  readonly dkim: boolean
  /** Whether SPF passed for an aligned domain. */
  readonly spf: boolean
  /** The domain in the From field. */
  readonly headerFrom: string
}

/** Sessions that failed alike. */
export interface ReportedFailure {
  /** The result type (RFC 8460 section 4.3), for example `certificate-expired`. */
  readonly type: string
  /** `sts`, `tlsa` or `no-policy-found`. */
  readonly policyType: string
  /** Empty if the report does not name it. */
  readonly receivingHost: string
  readonly count: number
}

/** A report about mail of one domain: DMARC aggregate report (RFC 7489, RFC 9990) or SMTP TLS report (RFC 8460). */
export interface MailReport {
  readonly kind: "dmarc" | "tls"
  readonly reporter: string
  readonly reportId: string
  /** The domain that the report is about, in lower case. */
  readonly domain: string
  /** The policy that the receiver found: `p` of DMARC, or the types of TLS policies. */
  readonly policy: string
  /** The period in milliseconds since 1970. */
  readonly begin: number
  readonly end: number
  /** Mails (DMARC) or sessions (TLS). */
  readonly total: number
  /** Mails that passed DMARC, or successful sessions. */
  readonly passed: number
  readonly sources: ReadonlyArray<ReportedSource>
  readonly failures: ReadonlyArray<ReportedFailure>
}

/** Limits of one report. */
export const reportLimits = {
  /** Octets after decompression. */
  octets: 10 * 1024 * 1024,
  /** Different sources or failures. */
  rows: 10_000,
  /** Domains of one TLS report. */
  domains: 100,
  /** Reports in one mail. */
  parts: 5
}

/** A mail passes DMARC with one aligned pass (RFC 7489 section 4.2). */
export const passesDmarc = ({ dkim, spf }: Pick<ReportedSource, "dkim" | "spf">): boolean => dkim || spf

const reportTypes = new Set([
  "application/gzip",
  "application/x-gzip",
  "application/zip",
  "application/x-zip",
  "application/x-zip-compressed",
  "application/xml",
  "text/xml",
  "application/tlsrpt+gzip",
  "application/tlsrpt+json"
])

const reportName = /\.(?:xml|json|gz|zip)$/i

/** Whether a part of a mail can be a report by its media type, or by its name if the type says nothing. */
export const isReportPart = ({
  contentType,
  filename
}: {
  readonly contentType: string
  readonly filename: string | null
}): boolean =>
  reportTypes.has(contentType) || (contentType === "application/octet-stream" && reportName.test(filename ?? ""))
