import { client } from "../app/Client.js"
import type { EmailDomain, MailReports } from "../app/Types.js"
import { DataTable } from "../components/DataTable.js"
import { Facts, Time } from "../components/Facts.js"
import { numberText, percent } from "../components/Format.js"
import { Pending } from "../components/Notices.js"
import { Card } from "../components/Resource.js"
import { useLoad } from "../components/View.js"

/** The records with the address for reports. */
const isReportRecord = ({ value }: EmailDomain["dnsRecords"][number]): boolean => value.includes("rua=")

/** The share of what passed; nothing without a report. */
const passText = (passed: number, total: number, noun: string): string =>
  total === 0 ? "" : `${percent(passed / total)} (${numberText(passed)} of ${numberText(total)} ${noun})`

/** What receivers did with mail that was not treated like any other. */
const treatedText = ({ quarantine, reject }: MailReports["dmarc"]["sources"][number]["dispositions"]): string =>
  [
    ...(quarantine === 0 ? [] : [`${numberText(quarantine)} quarantined`]),
    ...(reject === 0 ? [] : [`${numberText(reject)} rejected`])
  ].join(", ")

const Sources = ({ sources, truncated }: MailReports["dmarc"]) => (
  <>
    <DataTable
      caption="Sources of mail"
      columns={["Source", "Mails", "Failed", "DKIM", "SPF", "Treated", "From", "Last seen"]}
      rows={sources.map((one) => [
        <code key="ip">{one.ip}</code>,
        numberText(one.total),
        numberText(one.failed),
        percent(one.dkimPassed / one.total),
        percent(one.spfPassed / one.total),
        treatedText(one.dispositions),
        one.headerFrom.join(", "),
        <Time key="seen" value={one.lastSeenAt} />
      ])}
    />
    {truncated && <p class="hint">The sources with the most failed mails are shown.</p>}
  </>
)

const Failures = ({ failures }: MailReports["tls"]) => (
  <DataTable
    caption="Failed TLS sessions"
    columns={["Cause", "Sessions", "Policy", "Host", "Last seen"]}
    rows={failures.map((one) => [
      one.type,
      numberText(one.count),
      one.policyType,
      one.receivingHost ?? "",
      <Time key="seen" value={one.lastSeenAt} />
    ])}
  />
)

/** The DMARC and TLS reports about a domain in the last 30 days: failing sources first. */
export const DomainReports = ({ dnsRecords, id }: EmailDomain) => {
  const loaded = useLoad((signal) => client.domains.reports({ path: { id }, urlParams: {} }, { signal }), [id])
  if (loaded.value === undefined) return <Pending {...loaded} />
  const { dmarc, tls } = loaded.value
  const reporters = [...new Set([...dmarc.reporters, ...tls.reporters].map(({ name }) => name))]
  return (
    <Card title="Reports">
      {reporters.length === 0 ? (
        <p class="hint">
          No DMARC or TLS reports of the last 30 days. Other mail systems send them once a day to the address in the
          record{" "}
          {dnsRecords
            .filter(isReportRecord)
            .map(({ name }) => name)
            .join(" and ")}
          .
        </p>
      ) : (
        <>
          <Facts
            facts={[
              ["Range", "last 30 days"],
              ["Pass DMARC", passText(dmarc.passed, dmarc.total, "mails")],
              ["Use TLS", passText(tls.successful, tls.total, "sessions")],
              ["Reported by", reporters.join(", ")]
            ]}
          />
          {dmarc.sources.length > 0 && <Sources {...dmarc} />}
          {tls.failures.length > 0 && <Failures {...tls} />}
        </>
      )}
    </Card>
  )
}
