import type { EmailDomain } from "../../app/Types.js"

export type DnsRecord = EmailDomain["dnsRecords"][number]

/** A text as the strings of a TXT record, which have at most 255 octets (RFC 1035 section 3.3.14). */
const textStrings = (text: string): string =>
  (text.match(/.{1,255}/g) ?? [""]).map((part) => `"${part.replace(/["\\]/g, "\\$&")}"`).join(" ")

const dataOf = ({ priority, type, value }: DnsRecord): string =>
  type === "TXT" ? textStrings(value) : `${priority ?? 0} ${value}.`

/** Records in the form of a zone file (RFC 1035 section 5), which DNS providers import. */
export const zoneFile = (records: ReadonlyArray<DnsRecord>): string =>
  records.map((record) => `${record.name}. ${record.ttl} IN ${record.type} ${dataOf(record)}\n`).join("")

/** A name relative to its zone, as the forms of most DNS providers take it. */
export const relativeName = (name: string, zone: string): string =>
  name === zone ? "@" : name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name
