import { dmarc } from "mailauth/lib/dmarc/index.js"
import { type Checked, checkedWith, type DnsKnown } from "./DnsKnown.js"

export interface DmarcQuestion {
  readonly from: string
  /** The domain that SPF passed for, if it did. */
  readonly spfDomain: string | null
  readonly dkimDomains: ReadonlyArray<string>
  readonly known: ReadonlyArray<DnsKnown>
}

const plain = (domain: string): string => domain.toLowerCase().replace(/\.$/, "")

/** DMARC (RFC 7489) with the records that are known. */
export const checkDmarc = ({ dkimDomains, from, known, spfDomain }: DmarcQuestion): Promise<Checked<string>> =>
  checkedWith(known, async (resolver) => {
    const fromDomain = plain(from.slice(from.lastIndexOf("@") + 1))
    const judge = (spf: ReadonlyArray<string>, dkim: ReadonlyArray<string>) =>
      dmarc({ headerFrom: from, spfDomains: [...spf], dkimDomains: dkim.map((domain) => ({ domain })), resolver })
    const spf = spfDomain === null ? [] : [spfDomain]

    const first = await judge(spf, dkimDomains)
    if (first === false) return "permerror"
    if (first.status.result !== "pass") return first.status.result
    // Where the record is strict, the library is not: what is not the very domain must not count (section 3.1).
    const exact = (domains: ReadonlyArray<string>) => domains.filter((domain) => plain(domain) === fromDomain)
    const { dkim: strictDkim, spf: strictSpf } = first.alignment
    const second = await judge(
      strictSpf.strict ? exact(spf) : spf,
      strictDkim.strict ? exact(dkimDomains) : dkimDomains
    )
    return second === false ? "permerror" : second.status.result
  })
