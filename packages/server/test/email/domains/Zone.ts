import type { DnsAnswer } from "@switchboard/channels/testing/network/DnsServer"

interface RequestedRecord {
  readonly type: string
  readonly name: string
  readonly value: string
  readonly priority?: number
}

/** Publishes records, with long texts split into strings. `under` is the suffix of the CNAME targets. */
export const publish = (zone: Record<string, DnsAnswer>, records: ReadonlyArray<RequestedRecord>, under = "") => {
  const names = new Set(records.map(({ name }) => name))
  for (const name of names) {
    const rrset = records
      .filter((record) => record.name === name)
      .map(({ priority, type, value }) =>
        type === "MX"
          ? ({ type: "MX", priority: priority ?? 0, exchange: value } as const)
          : ({ type: "TXT", chunks: value.match(/.{1,100}/g) ?? [] } as const)
      )
    if (under === "") zone[name] = rrset
    else {
      zone[name] = [{ type: "CNAME", target: `${name}${under}` }]
      zone[`${name}${under}`] = rrset
    }
  }
}
