import type { DomainReport, EmailDomain } from "../app/Types.js"
import { Identifier, Status, Time } from "../components/Facts.js"
import { CopyButton, EmptyState, ErrorNotice } from "../components/Notices.js"

type DnsRecord = EmailDomain["dnsRecords"][number]

/** A text as the strings of a TXT record, which have at most 255 octets (RFC 1035 section 3.3.14). */
const textStrings = (text: string): string =>
  (text.match(/.{1,255}/g) ?? [""]).map((part) => `"${part.replace(/["\\]/g, "\\$&")}"`).join(" ")

const dataOf = ({ priority, type, value }: DnsRecord): string => {
  if (type === "TXT") return textStrings(value)
  return priority === undefined ? `${value}.` : `${priority} ${value}.`
}

/** Records in the form of a zone file (RFC 1035 section 5), which DNS providers import. */
const zoneFile = (records: ReadonlyArray<DnsRecord>): string =>
  records.map((record) => `${record.name}. ${record.ttl} IN ${record.type} ${dataOf(record)}\n`).join("")

/** A name relative to its zone, as the forms of most DNS providers take it. */
const relativeName = (name: string, zone: string): string =>
  name === zone ? "@" : name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name

type RecordReport = DomainReport["records"][number]

/** The value as DNS tools print it: with the preference of an MX record. */
const expectedText = ({ priority, value }: DnsRecord): string =>
  priority === undefined ? value : `${priority} ${value}`

/** How many records are as expected: `3 of 6 records`. */
export const correctText = (records: ReadonlyArray<RecordReport>): string =>
  `${records.filter(({ ok }) => ok).length} of ${records.length} records`

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

interface RecordProps {
  readonly record: DnsRecord
  readonly report: RecordReport | undefined
  readonly zone: string | undefined
}

const Record = ({ record, report, zone }: RecordProps) => (
  <li>
    <div class="record-name">
      <span class="tag">{record.type}</span>
      <Identifier label="name" value={record.name} />
      {report !== undefined && <Status value={report.state} />}
    </div>
    {zone !== undefined && (
      <div class="relative-name hint">
        In the zone {zone}: <Identifier label="relative name" value={relativeName(record.name, zone)} />
      </div>
    )}
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
  /** The zone that has the records, if it is known. */
  readonly zone: string | undefined
  readonly error: unknown
  readonly reload: () => void
}

/** The DNS records of a domain: expected and found side by side. */
export const DomainRecords = ({ domain: { dnsRecords }, error, reload, report, zone }: DomainRecordsProps) => {
  if (dnsRecords.length === 0) {
    return <EmptyState title="No DNS records" text="This domain is for tests on this host, and needs none." />
  }
  const reportOf = (record: DnsRecord) =>
    report?.records.find(
      ({ expected, name, type }) => type === record.type && name === record.name && expected === expectedText(record)
    )
  return (
    <section class="card records" aria-label="DNS records" aria-busy={report === undefined && error === undefined}>
      <div class="section-header">
        <h2>DNS records</h2>
        <CopyButton isLabelled label="Copy all" text={zoneFile(dnsRecords)} />
      </div>
      {report !== undefined && (
        <p class="hint" role="status">
          {correctText(report.records)} as expected, checked <Time value={report.checkedAt} />
        </p>
      )}
      {error !== undefined && <ErrorNotice error={error} retry={reload} />}
      <ul>
        {dnsRecords.map((record) => (
          <Record
            key={`${record.type} ${record.name} ${record.value}`}
            record={record}
            report={reportOf(record)}
            zone={zone}
          />
        ))}
      </ul>
    </section>
  )
}
