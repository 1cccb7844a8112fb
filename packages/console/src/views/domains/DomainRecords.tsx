import type { DomainReport, EmailDomain } from "../../app/Types.js"
import { EmptyState } from "../../components/EmptyState.js"
import { ErrorNotice } from "../../components/ErrorNotice.js"
import { Identifier } from "../../components/Identifier.js"
import { Status } from "../../components/Status.js"

type DnsRecord = EmailDomain["dnsRecords"][number]
type RecordReport = DomainReport["records"][number]

/** The value as DNS tools print it: with the preference of an MX record. */
const expectedText = ({ priority, value }: DnsRecord): string =>
  priority === undefined ? value : `${priority} ${value}`

const Found = ({ report }: { readonly report: RecordReport | undefined }) => {
  if (report === undefined) return <p class="hint">Not looked up</p>
  if (report.found.length === 0) return <p class="hint">No record</p>
  return (
    <>
      {report.found.map((text) => (
        <code key={text}>{text}</code>
      ))}
    </>
  )
}

const Record = ({ record, report }: { readonly record: DnsRecord; readonly report: RecordReport | undefined }) => (
  <li>
    <div class="record-name">
      <span class="tag">{record.type}</span>
      <Identifier label="name" value={record.name} />
      {report !== undefined && <Status value={report.ok ? "found" : "missing"} />}
    </div>
    <p class="hint">
      {record.description} (TTL {record.ttl})
    </p>
    <dl class="compared">
      <div>
        <dt>Expected</dt>
        <dd>
          <Identifier label="value" value={expectedText(record)} />
        </dd>
      </div>
      <div>
        <dt>Found</dt>
        <dd>
          <Found report={report} />
        </dd>
      </div>
    </dl>
  </li>
)

interface DomainRecordsProps {
  readonly domain: EmailDomain
  /** The result of the lookup, when it has arrived. */
  readonly report: DomainReport | undefined
  readonly error: unknown
  readonly reload: () => void
}

/** The DNS records of a domain: expected and found side by side. */
export const DomainRecords = ({ domain: { dnsRecords }, error, reload, report }: DomainRecordsProps) => {
  if (dnsRecords.length === 0) {
    return <EmptyState title="No DNS records" text="This domain is for tests on this host, and needs none." />
  }
  const reportOf = (record: DnsRecord) =>
    report?.records.find(
      ({ expected, name, type }) =>
        type === record.type && name === record.name && (expected === record.value || expected === expectedText(record))
    )
  return (
    <section class="card records" aria-label="DNS records" aria-busy={report === undefined && error === undefined}>
      <h2>DNS records</h2>
      {error !== undefined && <ErrorNotice error={error} retry={reload} />}
      <ul>
        {dnsRecords.map((record) => (
          <Record key={`${record.type} ${record.name} ${record.value}`} record={record} report={reportOf(record)} />
        ))}
      </ul>
    </section>
  )
}
