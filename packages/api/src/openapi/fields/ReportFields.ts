import type { FieldsBySchema } from "./CommonFields.js"

const lastSeenAt = "End of the newest report with it (UTC)."

/** Fields of DMARC and TLS reports. */
export const reportFields: FieldsBySchema = {
  MailReports: {
    dmarc: "DMARC aggregate reports about mail that claims to be from the domain.",
    domain: "Name of the domain.",
    endDate: "End of the range (UTC), exclusive.",
    startDate: "Start of the range (UTC).",
    tls: "SMTP TLS reports about connections that bring mail to the domain."
  },
  DmarcFigures: {
    failed: "Number of mails that failed DMARC.",
    passRate: "Mails that passed DMARC divided by `total`. Rates are 0 to 1, and 0 without data.",
    passed: "Number of mails that passed DMARC.",
    reporters: "Receivers that reported, at most 100, with the most mails first.",
    reports: "Number of reports.",
    sources: "Addresses that sent the mail, at most 100: the most failed mails first, then the most mails.",
    total: "Number of reported mails.",
    truncated: "Whether there are more sources."
  },
  MailSource: {
    dispositions: "Number of mails by what the receivers did with them.",
    dkimPassed: "Number of mails with a valid DKIM signature of an aligned domain.",
    failed: "Number of mails that failed DMARC: neither DKIM nor SPF passed for an aligned domain.",
    headerFrom: "Domains in the header `From`, at most 100.",
    ip: "IP address that sent the mail.",
    lastSeenAt,
    passed: "Number of mails that passed DMARC.",
    reporters: "Names of the receivers that reported the address, at most 100.",
    spfPassed: "Number of mails with a pass of SPF for an aligned domain.",
    total: "Number of mails."
  },
  MailDispositions: {
    none: "Number of mails that were treated like any other.",
    quarantine: "Number of mails that were treated as suspicious, mostly as spam.",
    reject: "Number of mails that were rejected."
  },
  TlsFigures: {
    failed: "Number of sessions that failed.",
    failures: "Causes of failed sessions, at most 100, the most frequent first.",
    reporters: "Senders that reported, at most 100, with the most sessions first.",
    reports: "Number of reports.",
    successRate: "Successful sessions divided by `total`. Rates are 0 to 1, and 0 without data.",
    successful: "Number of sessions with TLS as the policy of the domain requires.",
    total: "Number of reported sessions.",
    truncated: "Whether there are more causes."
  },
  TlsFailure: {
    count: "Number of failed sessions.",
    lastSeenAt,
    policyType: "Policy that applied: `sts` (MTA-STS), `tlsa` (DANE) or `no-policy-found`.",
    receivingHost: "MX host of the sessions. Absent: not reported.",
    type: "Cause (RFC 8460 section 4.3), for example `certificate-expired`."
  },
  Reporter: {
    failed: "Number of mails or sessions that failed.",
    name: "Name in its reports.",
    reports: "Number of its reports.",
    total: "Number of reported mails or sessions."
  }
}
