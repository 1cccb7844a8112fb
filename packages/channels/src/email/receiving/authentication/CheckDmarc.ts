import type { DmarcPolicy } from "@switchboard/services/email/receiving/ReadMail"
import { dmarc } from "mailauth/lib/dmarc/index.js"
import { type CheckResult, checkWithAnswers, type DnsAnswer } from "./CheckWithDns.js"

export interface DmarcInput {
  readonly from: string
  /** The domain that passed SPF, else null. */
  readonly spfDomain: string | null
  readonly dkimDomains: ReadonlyArray<string>
  readonly answers: ReadonlyArray<DnsAnswer>
}

export interface DmarcVerdict {
  readonly result: string
  readonly policy: DmarcPolicy
}

/** The policy of a record; an unknown one counts as none (RFC 7489 section 6.6.3). */
const policyOf = (policy: string | undefined): DmarcPolicy =>
  policy === "quarantine" || policy === "reject" ? policy : "none"

const normalized = (domain: string): string => domain.toLowerCase().replace(/\.$/, "")

/** Evaluates DMARC (RFC 7489) with the DNS answers so far. */
export const checkDmarc = ({ answers, dkimDomains, from, spfDomain }: DmarcInput): Promise<CheckResult<DmarcVerdict>> =>
  checkWithAnswers(answers, async (resolver) => {
    const fromDomain = normalized(from.slice(from.lastIndexOf("@") + 1))
    const evaluate = (spf: ReadonlyArray<string>, dkim: ReadonlyArray<string>) =>
      dmarc({ headerFrom: from, spfDomains: [...spf], dkimDomains: dkim.map((domain) => ({ domain })), resolver })
    const spf = spfDomain === null ? [] : [spfDomain]

    const relaxed = await evaluate(spf, dkimDomains)
    if (relaxed === false) return { result: "permerror", policy: "unknown" }
    const { result } = relaxed.status
    const policy = result === "temperror" ? "unknown" : policyOf(relaxed.policy?.toLowerCase())
    if (result !== "pass") return { result, policy }
    // mailauth ignores strict alignment, so a subdomain must be removed here (section 3.1).
    const exact = (domains: ReadonlyArray<string>) => domains.filter((domain) => normalized(domain) === fromDomain)
    const { dkim: strictDkim, spf: strictSpf } = relaxed.alignment
    const aligned = await evaluate(
      strictSpf.strict ? exact(spf) : spf,
      strictDkim.strict ? exact(dkimDomains) : dkimDomains
    )
    return { result: aligned === false ? "permerror" : aligned.status.result, policy }
  })
