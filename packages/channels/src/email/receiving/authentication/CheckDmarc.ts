import type { DmarcPolicy } from "@switchboard/services/email/receiving/MailAuthenticator"
import { dmarc } from "mailauth/lib/dmarc/index.js"
import { type Checked, checkedWith, type DnsKnown } from "./DnsKnown.js"

export interface DmarcQuestion {
  readonly from: string
  /** The domain that SPF passed for, if it did. */
  readonly spfDomain: string | null
  readonly dkimDomains: ReadonlyArray<string>
  readonly known: ReadonlyArray<DnsKnown>
}

export interface DmarcVerdict {
  readonly result: string
  readonly policy: DmarcPolicy
}

/** The policy of a record; a record with an unknown one asks for nothing (RFC 7489 section 6.6.3). */
const policyOf = (policy: string | undefined): DmarcPolicy =>
  policy === "quarantine" || policy === "reject" ? policy : "none"

const plain = (domain: string): string => domain.toLowerCase().replace(/\.$/, "")

/** DMARC (RFC 7489) with the records that are known. */
export const checkDmarc = ({ dkimDomains, from, known, spfDomain }: DmarcQuestion): Promise<Checked<DmarcVerdict>> =>
  checkedWith(known, async (resolver) => {
    const fromDomain = plain(from.slice(from.lastIndexOf("@") + 1))
    const judge = (spf: ReadonlyArray<string>, dkim: ReadonlyArray<string>) =>
      dmarc({ headerFrom: from, spfDomains: [...spf], dkimDomains: dkim.map((domain) => ({ domain })), resolver })
    const spf = spfDomain === null ? [] : [spfDomain]

    const first = await judge(spf, dkimDomains)
    if (first === false) return { result: "permerror", policy: "unknown" }
    const { result } = first.status
    const policy = result === "temperror" ? "unknown" : policyOf(first.policy?.toLowerCase())
    if (result !== "pass") return { result, policy }
    // Where the record is strict, the library is not: what is not the very domain must not count (section 3.1).
    const exact = (domains: ReadonlyArray<string>) => domains.filter((domain) => plain(domain) === fromDomain)
    const { dkim: strictDkim, spf: strictSpf } = first.alignment
    const second = await judge(
      strictSpf.strict ? exact(spf) : spf,
      strictDkim.strict ? exact(dkimDomains) : dkimDomains
    )
    return { result: second === false ? "permerror" : second.status.result, policy }
  })
